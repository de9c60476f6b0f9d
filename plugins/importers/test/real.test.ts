import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { importFrom } from '../../../test/import-from.ts'
import { frontMatter } from '../texts/front-matter.ts'
import { temporaryFolder } from '../../../test/runner/temporary-folder.ts'

/*
 * Whole boards of other trackers, compared with the server's answers. They are not in the repository:
 * TRACKER_TEST_IMPORTS names their folder.
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
/** Stored fields that routes do not show, by key. */
async function storedOf(server: TestServer) {
  const { rows } = await sql<{ key: string; author: string; completedAt: Date | null }>`
    select t.identifier || '-' || i.number as key, a.fullname as author, i.completed_at as "completedAt"
    from issue i join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
    join account a on a.workspace_id = i.workspace_id and a.id = i.created_by_id`.execute(server.database.db)
  return new Map(rows.map(row => [row.key, { ...row, completedAt: row.completedAt?.toISOString() }]))
}
const unpacked = (name: string): string => {
  const file = join(temporaryFolder(t), name.replace(/\.gz$/, ''))
  writeFileSync(file, gunzipSync(readFileSync(join(folder!, name))))
  return file
}
const linesOf = <T>(file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T)
/** The words of a text without markup, entities and addresses. */
const wordsOf = (text: string): string[] =>
  text.replaceAll(/\{[^}\n]*\}|<[^>]*>|&#?\w+;|!\S[^!\n]*!|https?:\S+/g, ' ').match(/[\p{L}\p{N}]{3,}/gu) ?? []
/** Keys may be lowercase there. */
const lostWords = (text: string | null | undefined, markdown: string): string[] => {
  const written = markdown.toLowerCase()
  return wordsOf(text ?? '').filter(word => !written.includes(word.toLowerCase()))
}
/** Removes possible ids of the source, which are keys here. */
const withoutKeys = (text: string) => text.replaceAll(/\w+(?:[-.]\w+)+/g, '')
/** The comments section of a task file. */
const COMMENTS = /(?:## Comments\s*)?<!-- COMMENTS:BEGIN[\s\S]*COMMENTS:END -->/
const sorted = (items: string[]) => [...new Set(items)].sort()
const fullTime = (time: string) => new Date(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')).toISOString()

interface Named {
  name: string
}
interface JiraIssue {
  id: string
  key: string
  fields: {
    summary: string
    description: string | null
    environment: string | null
    attachment: Array<{ filename: string }>
    components: Named[]
    versions: Named[]
    fixVersions: Named[]
    issuetype: Named
    reporter: { displayName: string } | null
    creator: { displayName: string } | null
    resolutiondate: string | null
    status: { statusCategory: { key: string } }
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
  const [wrong, lost]: [string[], string[]] = [[], []]
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
  const stored = await storedOf(server)
  for (const issue of issues) {
    const fields = source.get(issue.key)!
    const comments = fields.comment.comments.filter(({ body }) => body?.trim())
    const named = [
      ...fields.labels,
      fields.issuetype.name,
      ...fields.components.map(({ name }) => name),
      ...fields.fixVersions.map(({ name }) => `Fix: ${name}`),
      ...fields.versions.map(({ name }) => `Affects: ${name}`)
    ].map(name => name.toLowerCase().trim())
    const { author, completedAt } = stored.get(issue.key)!
    const same = [
      issue.title === fields.summary.replaceAll(/\s+/g, ' ').trim(),
      issue.createdAt === fullTime(fields.created),
      issue.updatedAt === fullTime(fields.updated),
      issue.state.category !== 'COMPLETED' || completedAt === fullTime(fields.resolutiondate ?? fields.updated),
      (fields.status.statusCategory.key === 'done') === /COMPLETED|CANCELED/.test(issue.state.category),
      issue.assignee?.fullname === fields.assignee?.displayName,
      author === (fields.reporter ?? fields.creator)?.displayName,
      sorted(named).join() === sorted(issue.labels.map(({ name }) => name.toLowerCase())).join(),
      fields.attachment.every(({ filename }) => issue.descriptionMarkdown.includes(filename)),
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
    const lostText = [
      ...lostWords(fields.description, issue.descriptionMarkdown),
      ...lostWords(fields.environment, issue.descriptionMarkdown),
      ...comments.flatMap(({ body }) => lostWords(body, issue.comments.map(one => one.bodyMarkdown).join('\n')))
    ]
    if (lostText.length > 0) lost.push(`${issue.key}: ${lostText.join()}`)
    links += issue.relations.length
    if (issue.parent) parents++
  }
  t.same(wrong, [], 'with its title, times, assignee, labels, comments, their authors and times, parent and relations')
  t.same(lost, [], 'without losing a word')
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
    updated_at: string
    closed_at?: string
    close_reason?: string
    created_by?: string
    owner?: string
    design?: string
    notes?: string
    acceptance_criteria?: string
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
  const stored = await storedOf(server)
  let relations = 0
  for (const bead of source) {
    const issue = await server.ok<Context>(`/v1/issues/${encodeURIComponent(bead.id)}/context`)
    const same = [
      issue.title === bead.title.replaceAll(/\s+/g, ' ').trim(),
      issue.createdAt === new Date(bead.created_at).toISOString(),
      issue.updatedAt === new Date(bead.updated_at).toISOString(),
      issue.state.category !== 'COMPLETED' ||
        stored.get(issue.key)!.completedAt === new Date(bead.closed_at ?? bead.updated_at).toISOString(),
      [stored.get(issue.key)!.author, undefined].includes(bead.created_by ?? bead.owner),
      issue.assignee?.fullname === bead.assignee,
      [bead.design, bead.notes, bead.acceptance_criteria].every(
        text => lostWords(text, issue.descriptionMarkdown).length === 0
      ),
      issue.comments.length === (bead.close_reason ? 1 : 0),
      (issue.state.category === 'COMPLETED') === (bead.status === 'closed'),
      (bead.labels ?? []).every(label => issue.labels.some(({ name }) => name.toLowerCase() === label.toLowerCase())),
      withoutKeys(issue.descriptionMarkdown).includes(withoutKeys(bead.description?.trim() ?? ''))
    ]
    if (same.includes(false)) wrong.push(`${bead.id}: ${same.join()}`)
    relations += issue.relations.length / 2 + (issue.parent ? 1 : 0)
  }
  t.same(wrong, [], 'each bead is found by its id, with its title, times, assignee, reason, state, labels and text')
  const parents = new Set<string>()
  const pairs = new Set<string>()
  for (const { id, dependencies = [] } of source) {
    const whole = id.replace(/\.\d+$/, '')
    if (whole !== id && ids.has(whole)) parents.add(id)
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
  interface Task {
    id: string
    title: string
    type?: string
    labels?: string[]
    assignee?: string | string[]
    created_date?: string
    updated_date?: string
  }
  const server = await testServer()
  t.teardown(() => server.close())
  const root = temporaryFolder(t)
  execFileSync('tar', ['xzf', join(folder!, 'backlog-md.tar.gz'), '-C', root])
  const { report, leftOut } = await importFrom(server, 'backlog-md', root, { include: 'archived' })
  const files = ['tasks', 'completed', 'drafts', 'archive/tasks', 'archive/drafts'].flatMap(name =>
    readdirSync(join(root, 'backlog', name))
      .filter(file => /^(?:back|task|draft)-.*\.md$/.test(file))
      .map(file => join(root, 'backlog', name, file))
  )
  const tasks = files.map(file => frontMatter(readFileSync(file, 'utf8')) as unknown as { data: Task; body: string })
  t.equal(report.added['issue'], files.length, 'a task a file')
  t.equal(report.added['comment'], 7, 'and its comments')
  const wrong: string[] = []
  const ids = tasks.map(({ data }) => data.id.toUpperCase())
  for (const { data, body } of tasks) {
    // The key of several is a conflict.
    if (ids.indexOf(data.id.toUpperCase()) !== ids.lastIndexOf(data.id.toUpperCase())) continue
    const issue = await server.ok<Context>(`/v1/issues/${encodeURIComponent(data.id)}/context`)
    const named = [...(data.labels ?? []), ...(data.type === undefined ? [] : [data.type])]
    const same = [
      issue.title === data.title.replaceAll(/\s+/g, ' ').trim(),
      data.created_date === undefined || issue.createdAt.startsWith(data.created_date.slice(0, 10)),
      data.updated_date === undefined || issue.updatedAt.startsWith(data.updated_date.slice(0, 10)),
      issue.assignee?.fullname === [data.assignee ?? []].flat()[0]?.replace(/^@/, ''),
      named.every(label => issue.labels.some(({ name }) => name.toLowerCase() === label.toLowerCase())),
      lostWords(withoutKeys(body.replace(COMMENTS, '')), issue.descriptionMarkdown).length === 0
    ]
    if (same.includes(false)) wrong.push(`${data.id}: ${same.join()}`)
  }
  t.same(wrong, [], 'each with its title, dates, assignee, labels and text')
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
