import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/harness.ts'
import { importFrom } from '../../../test/import-from.ts'

/*
 * Whole boards of other trackers, side by side with what the server answers. They are no part of the project:
 * TRACKER_TEST_IMPORTS names the folder that has them.
 */
const folder = process.env['TRACKER_TEST_IMPORTS']
const skip = folder === undefined || !existsSync(folder) ? 'TRACKER_TEST_IMPORTS names no folder' : false

interface Context {
  key: string
  title: string
  descriptionMarkdown: string
  createdAt: string
  updatedAt: string
  state: { name: string; category: string }
  assignee: { fullname: string } | null
  parent: { key: string } | null
  labels: Array<{ name: string }>
  priority: number
  relations: Array<{ type: string; issue: { key: string } }>
  comments: Array<{ author: { fullname: string }; createdAt: string; bodyMarkdown: string }>
}
async function issuesOf(server: TestServer): Promise<Context[]> {
  const all: Array<{ id: string }> = []
  for (let page = 1; ; page++) {
    const { issues } = await server.ok<{ issues: Array<{ id: string }> }>('/v1/issues/filter', {
      body: { page, perPage: 200, view: 'list', orderBy: 'number' }
    })
    all.push(...issues)
    if (issues.length < 200) break
  }
  const contexts: Context[] = []
  for (const { id } of all) contexts.push(await server.ok<Context>(`/v1/issues/${id}/context`))
  return contexts
}
const unpacked = (name: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'tracker-real-')), name.replace(/\.gz$/, ''))
  writeFileSync(file, gunzipSync(readFileSync(join(folder!, name))))
  return file
}
const linesOf = <T>(file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T)
const sorted = (items: string[]) => [...new Set(items)].sort()
const fullTime = (time: string) => new Date(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')).toISOString()

interface JiraIssue {
  id: string
  key: string
  fields: {
    summary: string
    created: string
    updated: string
    assignee: { displayName: string } | null
    parent?: { key: string }
    labels: string[]
    comment: { comments: Array<{ created: string; body?: string; author?: { displayName: string } }> }
    issuelinks: Array<{ outwardIssue?: { key: string }; inwardIssue?: { key: string } }>
  }
}

t.test('a Jira board comes whole', { skip, timeout: 300_000 }, async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const file = unpacked('jira-titanium.jsonl.gz')
  const { report, leftOut } = await importFrom(server, 'jira', file)
  const source = new Map(linesOf<JiraIssue>(file).map(issue => [issue.key, issue.fields]))
  const issues = await issuesOf(server)
  t.same(sorted(issues.map(({ key }) => key)), sorted([...source.keys()]), 'each issue, by its key')
  const wrong: string[] = []
  let [links, parents] = [0, 0]
  const linked = new Map<string, Set<string>>()
  for (const [key, { issuelinks }] of source) {
    for (const { outwardIssue, inwardIssue } of issuelinks) {
      const other = (outwardIssue ?? inwardIssue)!.key
      if (!source.has(other)) continue
      linked.set(key, (linked.get(key) ?? new Set()).add(other))
      linked.set(other, (linked.get(other) ?? new Set()).add(key))
    }
  }
  for (const issue of issues) {
    const fields = source.get(issue.key)!
    const comments = fields.comment.comments.filter(({ body }) => body?.trim())
    const same = [
      issue.title === fields.summary.replaceAll(/\s+/g, ' ').trim(),
      issue.createdAt === fullTime(fields.created),
      issue.assignee?.fullname === fields.assignee?.displayName,
      fields.labels.every(label => issue.labels.some(({ name }) => name.toLowerCase() === label.toLowerCase())),
      issue.comments.length === comments.length,
      comments.every(({ created }) => issue.comments.some(({ createdAt }) => createdAt === fullTime(created))),
      sorted(comments.flatMap(({ author }) => author?.displayName ?? [])).every(name =>
        issue.comments.some(({ author }) => author.fullname === name)
      ),
      !fields.parent || !source.has(fields.parent.key) || issue.parent?.key === fields.parent.key,
      sorted(issue.relations.map(relation => relation.issue.key)).join() ===
        sorted([...(linked.get(issue.key) ?? [])]).join()
    ]
    if (same.includes(false)) wrong.push(`${issue.key}: ${same.join()}`)
    links += issue.relations.length
    if (issue.parent) parents++
  }
  t.same(wrong, [], 'with its title, times, assignee, labels, comments, their authors and times, parent and relations')
  t.ok(links > 0 && parents > 0)
  t.equal(report.added['issue'], source.size)
  t.ok(
    report.skipped.every(({ reason }) => /^there is no issue/.test(reason)),
    'only links to issues that are not in the file are left out'
  )
  t.match(
    leftOut.map(({ what }) => what),
    ['comments']
  )
})

t.test('a board of beads comes whole', { skip, timeout: 300_000 }, async t => {
  interface Bead {
    id: string
    title: string
    status: string
    created_at: string
    close_reason?: string
    assignee?: string
    labels?: string[]
    description?: string
    dependencies?: Array<{ depends_on_id: string; type: string }>
  }
  const server = await testServer()
  t.teardown(() => server.close())
  const file = unpacked('beads.jsonl.gz')
  const { report } = await importFrom(server, 'beads', file)
  const source = linesOf<Bead>(file)
  const ids = new Set(source.map(({ id }) => id))
  t.equal(report.added['issue'], source.length)
  const wrong: string[] = []
  let relations = 0
  for (const bead of source) {
    const issue = await server.ok<Context>(`/v1/issues/${encodeURIComponent(bead.id)}/context`)
    const same = [
      issue.title === bead.title.replaceAll(/\s+/g, ' ').trim(),
      issue.createdAt === new Date(bead.created_at).toISOString(),
      issue.assignee?.fullname === bead.assignee,
      issue.comments.length === (bead.close_reason ? 1 : 0),
      (issue.state.category === 'COMPLETED') === (bead.status === 'closed'),
      (bead.labels ?? []).every(label => issue.labels.some(({ name }) => name.toLowerCase() === label.toLowerCase())),
      issue.descriptionMarkdown.includes(bead.description?.trim() ?? '')
    ]
    if (same.includes(false)) wrong.push(`${bead.id}: ${same.join()}`)
    relations += issue.relations.length / 2 + (issue.parent ? 1 : 0)
  }
  t.same(wrong, [], 'each bead is found by its id, with its title, times, assignee, reason, state, labels and text')
  const parents = new Set<string>()
  const pairs = new Set<string>()
  for (const { id, dependencies = [] } of source) {
    for (const { depends_on_id: other, type } of dependencies) {
      if (!ids.has(other)) continue
      if (type === 'parent-child') parents.add(id)
      else pairs.add([id, other, type === 'blocks' ? 'BLOCKS' : 'RELATED'].join())
    }
  }
  const refused = report.skipped.filter(({ reason }) => !/^there is no issue/.test(reason))
  t.equal(relations + refused.length, parents.size + pairs.size, 'and what it depends on')
})

t.test('a board of Backlog.md comes whole', { skip, timeout: 300_000 }, async t => {
  const server = await testServer()
  t.teardown(() => server.close())
  const root = mkdtempSync(join(tmpdir(), 'tracker-real-'))
  execFileSync('tar', ['xzf', join(folder!, 'backlog-md.tar.gz'), '-C', root])
  const { report, leftOut } = await importFrom(server, 'backlog-md', root)
  const count = (...folders: string[]) =>
    folders
      .flatMap(name =>
        execFileSync('ls', [join(root, 'backlog', name)], { encoding: 'utf8' })
          .trim()
          .split('\n')
      )
      .filter(name => /^(?:back|task|draft)-.*\.md$/.test(name)).length
  const files = count('tasks', 'completed', 'drafts', 'archive/tasks', 'archive/drafts')
  t.equal(report.added['issue'], files, 'a task a file')
  t.equal(report.added['comment'], 7, 'and its comments')
  const one = await server.ok<Context>('/v1/issues/BACK-200/context')
  t.match(one, { title: 'Add Claude Code integration with workflow commands during init', priority: 3 })
  t.match(one.descriptionMarkdown, /- \[ \] #1 Claude Code template files/)
  t.notMatch(one.descriptionMarkdown, /<!-- AC/)
  t.ok((await server.ok<Context>('/v1/issues/BACK-100.1/context')).parent, 'a part of a task, by its old key')
  t.ok(leftOut.some(({ what }) => what === 'docs'))
  t.ok(
    report.skipped.every(({ reason, where }) => /^there is no issue|itself/.test(reason) || where),
    'what is left out says where'
  )
})
