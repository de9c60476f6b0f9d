import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { runCommand } from '../../../core/api/command.ts'
import { commands } from '../../../core/api/points.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

const server = await testServer()
t.teardown(() => server.close())

const known = server.contributions(commands).map(({ item }) => item)
const workspaces = (t: Test, ...args: string[]) => run(t, 'workspaces', ...args)

/** Runs a command on the server's database; returns its exit code and its standard output. */
async function run(t: Test, ...args: string[]): Promise<{ code: number; out: string }> {
  const output = t.capture(process.stdout, 'write')
  t.capture(process.stderr, 'write')
  try {
    const code = await runCommand(known, args, async () => {})
    return {
      code,
      out: output()
        .map(({ args }) => args[0])
        .join('')
    }
  } finally {
    output.restore()
  }
}

/** The numbers of a workspace's rows, by table; without empty tables. */
async function rowsOf({ database }: TestServer, workspaceId: string): Promise<Record<string, number>> {
  const db = database.db.withoutPlugins()
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'workspace_id'`.execute(db)
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const { rows: counted } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(name)} where workspace_id = ${workspaceId}`.execute(db)
    if (counted[0]!.n > 0) counts[name] = counted[0]!.n
  }
  return counts
}

/** Records of every kind, with rows that refer to others of their table, and more labels than one batch removes. */
async function fill(token: string, workspaceId: string): Promise<void> {
  const send = <T>(path: string, body: object) => server.ok<T>(path, { token, body })
  const project = await send<{ id: string }>('/v1/projects', { name: 'Harbour' })
  const issue = await send<{ id: string }>('/v1/issues', {
    teamId: 'ENG',
    title: 'The crane is slow',
    projectId: project.id
  })
  const child = await send<{ id: string }>('/v1/issues', { teamId: 'ENG', title: 'Oil it', parentId: issue.id })
  await send('/v1/issue_relations', { type: 'BLOCKS', issueId: child.id, relatedIssueId: issue.id })
  const comment = await send<{ id: string }>(`/v1/issue_comments?issueId=${issue.id}`, { bodyMarkdown: 'Really?' })
  await send(`/v1/issue_comments?issueId=${issue.id}`, { bodyMarkdown: 'Yes.', parentId: comment.id })
  await send(`/v1/issues/${issue.id}/pick_up`, {})
  const entry = await send<{ id: string }>('/v1/knowledge', { content: 'Cranes need oil.' })
  await send('/v1/knowledge', { content: 'Cranes need grease, not oil.', supersedesId: entry.id })
  await send('/v1/users/agents', { name: 'Ada' })
  await sql`insert into label (workspace_id, id, name, color)
    select ${workspaceId}, gen_random_uuid(), 'Label ' || n, '#000000' from generate_series(1, 2100) n`.execute(
    server.database.db
  )
  await server.idle()
}
const idOf = async (token: string) =>
  (await server.ok<{ workspace: { id: string } }>('/v1/users/me', { token })).workspace.id

t.test('a workspace is added with an administrator, whose token is printed, and listed', async t => {
  const { out } = await workspaces(t, 'add', 'Shipyard', '--email', 'ann@example.org')
  const token = out.trim()
  t.match(await server.ok('/v1/users/me', { token }), { role: 'ADMIN', workspace: { name: 'Shipyard' } })
  t.match(await server.ok('/v1/teams', { token }), [{ identifier: 'ENG' }])
  t.equal(
    (await workspaces(t, 'list')).out,
    `${await idOf(server.token)}\t1\t0\tTracker\n${await idOf(token)}\t1\t0\tShipyard\n`
  )
  await t.rejects(workspaces(t, 'add', 'Shipyard'), { message: /^There is a workspace 'Shipyard' already/ })
  for (const name of ['', ' x', 'two\tcolumns', 'x'.repeat(101)]) {
    await t.rejects(workspaces(t, 'add', name), { message: /^A name has 1 to 100 characters/ }, name)
    await t.rejects(run(t, 'demo', '--name', name), { message: /^A name has 1 to 100 characters/ }, name)
  }
  await t.rejects(workspaces(t, 'add', 'Dock', '--email', 'ann'), { message: /^'ann' is no e-mail address/ })
})

t.test('export and import take a workspace by its name or id, and say when there is none', async t => {
  const { out } = await workspaces(t, 'add', 'Canal')
  const id = await idOf(out.trim())
  const linesOf = async (...args: string[]) => (await run(t, 'export', ...args)).out
  const named = await linesOf('--workspace', 'Canal')
  t.match(named, '"kind":"team"')
  t.equal(await linesOf('--workspace', id.toUpperCase()), named)
  await t.rejects(linesOf('--workspace', 'Kanal'), { message: /^There is no workspace 'Kanal'; there are: .*Canal \(/ })
  await t.rejects(linesOf(), { message: /^Say which workspace, with --workspace WORKSPACE; there are: Tracker, / })
})

t.test('help of a command that there is not says so', async t => {
  await t.rejects(run(t, 'help', 'nope'), { message: /^There is no command 'nope'\.\n/ })
})

t.test('a workspace is removed with all that is in it, and no other row', async t => {
  const token = (await workspaces(t, 'add', 'Dock')).out.trim()
  const [dock, tracker] = [await idOf(token), await idOf(server.token)]
  await fill(server.token, tracker)
  await fill(token, dock)
  const before = await rowsOf(server, tracker)
  t.match(await rowsOf(server, dock), {
    issue: 2,
    comment: 2,
    knowledge_entry: 2,
    label: 2103,
    search_document: Number
  })

  await t.rejects(workspaces(t, 'remove', 'Dock'), { message: /^Everything in the workspace Dock .* send --yes\.$/ })
  t.match(await rowsOf(server, dock), { issue: 2 }, 'nothing is removed without --yes')

  t.equal((await workspaces(t, 'remove', 'Dock', '--yes')).code, 0)
  t.same(await rowsOf(server, dock), {})
  t.same(await rowsOf(server, tracker), before)
  t.notMatch((await workspaces(t, 'list')).out, /Dock/)
  t.equal((await server.call('/v1/users/me', { token })).statusCode, 401)
  await t.rejects(workspaces(t, 'remove', 'Dock', '--yes'), {
    message: /^There is no workspace 'Dock'; there are: Tracker \(/
  })
})

t.test('a removal that was interrupted is continued by the next', async t => {
  const token = (await workspaces(t, 'add', 'Quay')).out.trim()
  const quay = await idOf(token)
  await fill(token, quay)
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'the server was stopped'; end $$`.execute(server.database.db)
  await sql`create trigger refuse before delete on team for each row execute function refuse()`.execute(
    server.database.db
  )
  await t.rejects(workspaces(t, 'remove', quay, '--yes'), { message: /the server was stopped/ })
  t.match(await rowsOf(server, quay), { team: 1 })
  t.equal((await server.call('/v1/users/me', { token })).statusCode, 401, 'its tokens are revoked before all')
  await sql`drop function refuse cascade`.execute(server.database.db)
  await workspaces(t, 'remove', quay, '--yes')
  t.same(await rowsOf(server, quay), {})
})
