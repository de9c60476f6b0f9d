import pg from 'pg'
import t from 'tap'
import { runsOnCitus, testServer, type TestServer } from './runner/harness.ts'
import { requestStatements } from './request-statements.ts'
import { fillWith, readSamples, type Make } from './samples.ts'
import { withConnection } from './runner/templates.ts'
import { isOfAllWorkspaces } from './workspace-bounds.ts'

const isOnCitus = await runsOnCitus()

/** Statements that query every shard, beside those of `isOfAllWorkspaces`. */
const OF_ALL_SHARDS: readonly RegExp[] = [
  // The first start, and the jobs of the embeddings.
  /^select "id" from "workspace"( where "name" = \$1)?$/,
  /^select "id", "name" from "workspace" order by "created_at", "id"$/,
  /^select distinct "workspace_id", "pool" as "name" from "embedding_text" /,
  /^select distinct "model"(, "next_model")? from "embedding_pool"$/,
  /^select "model"(, "next_model")? from "embedding_pool"$/,
  // Sign-ins, exchanges of codes, and GitHub's deliveries name no workspace.
  /^select .* from "oauth_code" where "hash" = \$1$/,
  /^select .* from "account" inner join "password" on .* lower\("account"."email"\) = \$1 /,
  /^select .* from "git_hook" where "deleted_at" is null and "id" = \$1$/,
  // Hooks: it joins the session that it has just stored, which hides the workspace from the planner.
  /^with "session" as \(insert into "hook_session" /
]

/** The share of all requests that must need only one shard. */
const LEAST_SHARE = 0.95

t.test(
  'what a request does in its workspace is the work of one shard',
  { skip: !isOnCitus && 'needs TEST_DATABASE_URL of a Citus cluster' },
  async t => {
    /** Every statement, with its first values. */
    const sent = new Map<string, readonly unknown[]>()
    const requests: string[][] = []
    const { onStatement, record } = requestStatements()
    const plainServer = await testServer({
      settings: { plugins: { delegation: { runner: { command: ['true'] } } } },
      onStatement(text, values) {
        if (!sent.has(text)) sent.set(text, values)
        onStatement(text)
      }
    })
    t.teardown(() => plainServer.close())
    const inRequest = async <T>(send: () => Promise<T>): Promise<T> => {
      const { answer, statements } = await record(send)
      requests.push(statements)
      return answer
    }
    const server: TestServer = {
      ...plainServer,
      call: (...args) => inRequest(() => plainServer.call(...args)),
      ok: (...args) => inRequest(() => plainServer.ok(...args))
    }
    await sendAllKinds(server)
    await server.idle()

    const ofTables = [...sent].filter(([text]) => isOfTables(text))
    t.ok(ofTables.length > 100)
    const spread = new Set<string>()
    await withConnection(server.databaseUrl!, async client => {
      for (const [text, values] of ofTables) {
        if (/Task Count: ([2-9]|\d\d)/.test(await explain(client, text, values))) spread.add(text)
      }
    })
    const isKnown = (text: string) => isOfAllWorkspaces(text) || OF_ALL_SHARDS.some(known => known.test(text))
    t.strictSame(
      [...spread].filter(text => !isKnown(text)),
      [],
      'all that asks several shards is known'
    )

    const before = requests.length
    await fileAndChange(server)
    const written = new Set(requests.slice(before).flatMap(statements => statements.filter(isOfTables)))
    t.ok(written.size > 5)
    await withConnection(server.databaseUrl!, async client => {
      for (const text of written) {
        const plan = await explain(client, text, sent.get(text) ?? [])
        t.notMatch(plan, /Subplan|coordinator/, `its rows do not pass through the coordinator: ${text}`)
      }
    })

    // Public pages, such as `GET /v1/connect`, need no database.
    const asking = requests.filter(({ length }) => length > 0)
    const ofOneShard = asking.filter(statements => !statements.some(text => spread.has(text)))
    t.ok(asking.length > 50)
    t.comment(`${ofOneShard.length} of ${asking.length} requests are the work of one shard`)
    t.ok(ofOneShard.length >= LEAST_SHARE * asking.length, 'nearly every request asks one shard only')
  }
)

/** Sends all requests of the plugins' samples, and the most frequent ones. */
async function sendAllKinds(server: TestServer): Promise<void> {
  const samples = await readSamples()
  const make: Make = (path, body) => server.ok<{ id: string; key: string }>(path, { body })
  const ids = await fillWith(samples, make, 'sample', 1)
  const issue = await make('/v1/issues', { teamId: 'ENG', title: 'x', descriptionMarkdown: '- [ ] one\n- [ ] two' })
  for (const { requests } of samples) {
    for (const [path, call] of (await requests?.(issue, 2, server, ids)) ?? []) {
      // Not every answer is JSON: some are files.
      const { statusCode, body } = await server.call(path, call)
      if (statusCode >= 300) throw new Error(`${path} answered ${statusCode}: ${body}`)
    }
  }
  await server.ok(`/v1/issues/${issue.key}`, { body: { title: 'y', priority: 2 } })
  for (const path of [`/v1/issues/${issue.key}/context`, '/v1/search?query=sample', '/v1/events', '/v1/users/me']) {
    await server.ok(path)
  }
  await server.ok('/v1/issues/filter', { body: { filters: { isReady: true } } })
}

/** Sends the most frequent requests that write. */
async function fileAndChange(server: TestServer): Promise<void> {
  const body = { teamId: 'ENG', title: 'x', descriptionMarkdown: '- [ ] one', labels: [], links: [] }
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body })
  await server.ok(`/v1/issues/${key}`, { body: { title: 'y' } })
  await server.ok(`/v1/issues/${key}`, { body: { state: 'In Progress', assignee: 'me', priority: 3 } })
  await server.ok(`/v1/issues/${key}/pick_up`, { body: {} })
  await server.ok(`/v1/issue_comments?issueId=${key}`, { body: { bodyMarkdown: 'It is so.' } })
}

/** True for queries of the product's tables, not of the catalogue or the queue. */
const isOfTables = (text: string) =>
  /^\s*(select|with|insert|update|delete)\b/i.test(text) && !/\bpgboss\.|\bpg_/.test(text)

/** The plan of a statement. Citus cannot explain every statement with parameters: then their values are inlined. */
async function explain(client: pg.Client, text: string, values: readonly unknown[]): Promise<string> {
  const ask = async (statement: string, values: readonly unknown[]) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${statement}`, [...values])
    return rows.map(row => row['QUERY PLAN']).join('\n')
  }
  return ask(text, values).catch(() =>
    ask(
      text.replaceAll(/\$(\d+)/g, (_, n: string) => literalOf(values[Number(n) - 1])),
      []
    )
  )
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(item => JSON.stringify(item)).join(',')}}`)
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`)
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}
