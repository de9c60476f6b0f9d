import { sql } from 'kysely'
import t from 'tap'
import { mcpAgent } from '../../../test/mcp-client.ts'
import { testServer } from '../../../test/runner/harness.ts'

/** Rows of each list, and their maximum in a context. */
const ROWS = 1_000
const MAX_ITEMS = 500
const MAX_LIST_BYTES = 256 * 1024
/** The maximum of the description, which has up to 6 MiB as JSON, with its comments; and of the lists. */
const MAX_CONTEXT_BYTES = 8 * 1024 * 1024

const LISTS = ['labels', 'subIssues', 'relations', 'linkedIssues', 'history'] as const
interface Context extends Record<'labels' | 'subIssues' | 'linkedIssues' | 'comments', object[]> {
  id: string
  history: Array<{ to: string }>
  relations: Array<{ type: string; issue: { key: string } }>
  omitted: Record<string, number>
  version: string
}

const server = await testServer({ settings: { jobs: false } })
t.teardown(() => server.close())
const { db } = server.database
const { id: workspace } = await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()

/** An issue with this number of rows in every list, each as long as `text`. */
async function crowdedIssue(text: string): Promise<string> {
  const { id, key } = await server.ok<{ id: string; key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Crowded' }
  })
  await sql`update issue set description_markdown = repeat(${'word\n'}, 200000)
    where workspace_id = ${workspace} and id = ${id}`.execute(db)
  const each = sql`
    issue i, generate_series(1, ${ROWS}::int) as n where i.workspace_id = ${workspace} and i.id = ${id}`
  await sql`
    insert into issue (workspace_id, id, team_id, number, title, description_markdown, described, criteria_met,
      criteria_total, state_id, priority, sort_order, parent_id, created_by_id, updated_by_id, created_at, updated_at)
    select i.workspace_id, gen_random_uuid(), i.team_id, i.number + n, ${text}, '', false, 0, 0, i.state_id, 0, n, i.id,
      i.created_by_id, i.updated_by_id, now(), now() from ${each}`.execute(db)
  await sql`
    update issue_counter
    set last = (
      select max(number) from issue where issue.workspace_id = ${workspace} and issue.team_id = issue_counter.team_id)
    where workspace_id = ${workspace}`.execute(db)
  await sql`
    insert into issue_relation (workspace_id, id, issue_id, related_issue_id, type, created_by_id, created_at)
    select p.workspace_id, gen_random_uuid(), p.id, c.id, 'RELATED', p.created_by_id,
      now() + c.sort_order * interval '1 s'
    from issue p join issue c on c.workspace_id = p.workspace_id and c.parent_id = p.id
    where p.workspace_id = ${workspace} and p.id = ${id}`.execute(db)
  await sql`
    insert into issue_link (workspace_id, id, issue_id, url, title, created_at)
    select i.workspace_id, gen_random_uuid(), i.id, 'https://example.org/' || n, ${text}, now() + n * interval '1 s'
    from ${each}`.execute(db)
  await sql`
    insert into issue_change (workspace_id, id, issue_id, at, actor_id, change, from_name, to_name)
    select i.workspace_id, gen_random_uuid(), i.id, now() + n * interval '1 s', i.created_by_id, 'state',
      ${text}, 'To ' || n
    from ${each}`.execute(db)
  await sql`
    insert into comment (workspace_id, id, issue_id, author_id, body, body_markdown, created_at, updated_at)
    select i.workspace_id, gen_random_uuid(), i.id, i.created_by_id, '{}', n || ${text},
      now() + n * interval '1 s', now()
    from ${each}`.execute(db)
  await sql`
    with named as (
      insert into label (workspace_id, id, name, color)
      select i.workspace_id, gen_random_uuid(), ${text} || i.number || ' ' || n, '#000000' from ${each}
      returning workspace_id, id)
    insert into issue_label (workspace_id, issue_id, label_id) select workspace_id, ${id}, id from named`.execute(db)
  return key
}

const short = await crowdedIssue('x')
const long = await crowdedIssue('\u0001'.repeat(1000))

t.test('a list of a context has 500 items at most, and the context says how many it leaves out', async t => {
  const context = await server.ok<Context>(`/v1/issues/${short}/context`)
  for (const list of [...LISTS, 'comments'] as const) {
    t.equal(context[list].length, MAX_ITEMS, list)
    t.equal(context.omitted[list], ROWS - MAX_ITEMS, list)
  }
})

t.test('a list of a context has 256 KiB at most, and every item is in it or counted as left out', async t => {
  const answer = await server.call(`/v1/issues/${long}/context`)
  t.ok(answer.rawPayload.length < MAX_CONTEXT_BYTES, `${answer.rawPayload.length} bytes`)
  const context = answer.json<Context>()
  for (const list of LISTS) {
    t.ok(context[list].length > 0, list)
    t.ok(Buffer.byteLength(JSON.stringify(context[list])) < MAX_LIST_BYTES + MAX_ITEMS + 2, list)
    t.equal(context[list].length + context.omitted[list]!, ROWS, list)
  }
  t.equal(context.comments.length + context.omitted['comments']!, ROWS)
})

t.test('a context has room for 8 MiB: comments are left out, and counted, where the description needs it', async t => {
  const commentsBeside = async (description: string) => {
    await sql`
      update issue set description_markdown = ${description}
      where workspace_id = ${workspace} and number = ${Number(long.split('-')[1])}`.execute(db)
    const answer = await server.call(`/v1/issues/${long}/context`)
    t.ok(answer.rawPayload.length < MAX_CONTEXT_BYTES, `${answer.rawPayload.length} bytes`)
    const { comments, omitted } = answer.json<Context>()
    t.equal(comments.length + omitted['comments']!, ROWS, 'every comment is there or counted')
    return comments.length
  }
  const beside = [await commentsBeside('x'), await commentsBeside('\u0001'.repeat(2 ** 19))]
  t.ok(beside[0]! > beside[1]! && beside[1]! > 0, beside.join(' > '))
  t.equal(await commentsBeside('\u0001'.repeat(2 ** 20)), 0)
})

t.test('of a long history the newest changes are in the context, oldest first', async t => {
  const { history } = await server.ok<Context>(`/v1/issues/${short}/context`)
  t.strictSame([history[0]?.to, history.at(-1)?.to], [`To ${ROWS - MAX_ITEMS + 1}`, `To ${ROWS}`])
})

t.test('of many relations those by which others block the issue are in the context', async t => {
  const blocker = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Blocker' } })
  await server.ok('/v1/issue_relations', {
    body: { issueId: blocker.key, relatedIssueId: short, type: 'BLOCKS' }
  })
  const { relations } = await server.ok<Context>(`/v1/issues/${short}/context`)
  t.strictSame(
    relations.filter(({ type }) => type === 'BLOCKED').map(({ issue }) => issue.key),
    [blocker.key]
  )
})

t.test('get_task is small, whatever the task has, and says how many items it leaves out', async t => {
  const agent = await mcpAgent(server)
  const task = await agent.ok<Context>('get_task', { task: long })
  t.ok(Buffer.byteLength(JSON.stringify(task)) < 256 * 1024)
  for (const list of LISTS) t.equal(task[list].length + task.omitted[list]!, ROWS, list)
})

t.test('a list that has no room for all changes nothing else of a context', async t => {
  const file = (title: string, rest: object) =>
    server.ok<{ id: string; key: string }>('/v1/issues', { body: { teamId: 'ENG', title, ...rest } })
  const { key } = await file('Has some of everything', {
    descriptionMarkdown: '- [x] one\n- [ ] two\n',
    labels: ['Bug']
  })
  await file('Its child', { parentId: key })
  const other = await file('Its blocker', {})
  await server.ok('/v1/issue_relations', { body: { issueId: other.key, relatedIssueId: key, type: 'BLOCKS' } })
  for (const body of [
    { bodyMarkdown: 'Whose is it?', question: {} },
    { bodyMarkdown: 'A *note*', met: [{ criterion: 2, evidence: 'seen' }] }
  ]) {
    const { id } = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, { body })
    await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'A reply "quoted"', parentId: id } })
  }
  const { linkedIssues: none, version: _, ...before } = await server.ok<Context>(`/v1/issues/${key}/context`)
  await sql`
    insert into issue_link (workspace_id, id, issue_id, url, title, created_at)
    select i.workspace_id, gen_random_uuid(), i.id, 'https://example.org/' || n, '', now()
    from issue i, generate_series(1, ${MAX_ITEMS + 1}::int) as n
    where i.workspace_id = ${workspace} and i.id = ${before.id}`.execute(db)
  const { linkedIssues, omitted, version: __, ...after } = await server.ok<Context>(`/v1/issues/${key}/context`)
  t.strictSame(after, before)
  t.strictSame([none.length, linkedIssues.length, omitted], [0, MAX_ITEMS, { linkedIssues: 1 }])
})
