import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import t from 'tap'
import { makeStreamReader, type ModelUsage } from '../usage/streams.ts'
import { delegate, isOver, outputOf, PLUGINS, reaches, readyIssue, serverWith } from './helpers.ts'

interface Usage {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  costUsd?: number
  estimated?: true
  costUnknown?: true
}

const plugins = [...PLUGINS, 'usage']
const pathOf = (name: string) => fileURLToPath(new URL(`streams/${name}.jsonl`, import.meta.url))
const linesOf = (name: string) => readFileSync(pathOf(name), 'utf8').trimEnd().split('\n')

/** The last figures of each model after these lines. */
function usageIn(lines: readonly string[]): Array<Omit<ModelUsage, 'reportId' | 'session'>> {
  const last = new Map<string, ModelUsage>()
  const read = makeStreamReader('a-codex-model', usage => last.set(usage.reportId, usage))
  for (const line of lines) read(line)
  return [...last.values()].map(({ reportId: _, session: _session, ...figures }) => figures)
}

t.test('the stream of Claude Code says what its models have used, message by message', async t => {
  const lines = linesOf('claude-code')
  const sonnet = { model: 'claude-sonnet-4-5-20250929', inputTokens: 12004, outputTokens: 120, cachedTokens: 8000 }
  const haiku = { model: 'claude-haiku-4-5-20251001', inputTokens: 900, outputTokens: 60, cachedTokens: 0 }
  t.strictSame(usageIn(lines.slice(0, -1)), [
    { ...sonnet, costUsd: undefined },
    { ...haiku, costUsd: undefined }
  ])
  const totals = [
    { ...sonnet, inputTokens: 12508, outputTokens: 410, cachedTokens: 28000, costUsd: 0.058 },
    { ...haiku, costUsd: 0.0012 }
  ]
  t.strictSame(usageIn(lines), totals, 'the result has the totals and the cost')
  t.strictSame(usageIn([...lines, ...lines]), [...totals, ...totals], 'a session that goes on counts from 0')
})

t.test('a result without models has the cost of all, and no message counts twice', async t => {
  const lines = linesOf('claude-code')
  const { modelUsage: _, ...result } = JSON.parse(lines.at(-1)!) as Record<string, unknown>
  const usage = usageIn([...lines.slice(0, -1), JSON.stringify(result)])
  t.match(usage, [
    { inputTokens: 12508, outputTokens: 410, cachedTokens: 28000, costUsd: 0.0592 },
    { inputTokens: 0, outputTokens: 0, costUsd: 0 }
  ])
})

t.test('the stream of Codex has the totals of its thread', async t => {
  t.strictSame(usageIn(linesOf('codex')), [
    { model: 'a-codex-model', inputTokens: 315, outputTokens: 122, cachedTokens: 24448 }
  ])
})

t.test('the stream of opencode has the figures of each step, which are summed', async t => {
  const lines = linesOf('opencode')
  const step = { inputTokens: 671, outputTokens: 8, cachedTokens: 21415 }
  t.strictSame(usageIn(lines), [{ model: 'a-codex-model', ...step, costUsd: 0.001 }])
  const tokens = { input: 100, output: 10, reasoning: 30, cache: { read: 5, write: 7 } }
  const more = JSON.stringify({ type: 'step_finish', sessionID: 'ses_494719016ffe', part: { cost: 0.002, tokens } })
  t.strictSame(usageIn([...lines, more]), [
    { model: 'a-codex-model', inputTokens: 671 + 107, outputTokens: 8 + 40, cachedTokens: 21420, costUsd: 0.003 }
  ])
})

t.test('real clients, recorded by scripts/clients.ts, have used what their model has counted', async t => {
  // 100 tokens of input and 10 of output with each of its answers.
  const answers = (count: number) => ({ inputTokens: 100 * count, outputTokens: 10 * count, cachedTokens: 0 })
  t.strictSame(usageIn(linesOf('recorded/claude-code')), [
    // Messages have the model's own name, the result has the requested name.
    { model: 'fake-model', ...answers(0), costUsd: 0 },
    { model: 'claude-opus-5-5', ...answers(7), costUsd: 0.0042 }
  ])
  t.strictSame(usageIn(linesOf('recorded/codex')), [{ model: 'a-codex-model', ...answers(6) }])
  t.strictSame(usageIn(linesOf('recorded/opencode')), [{ model: 'a-codex-model', ...answers(6) }])
})

t.test('other lines and strange figures are ignored', async t => {
  t.strictSame(
    usageIn([
      'npm test',
      '{"type":',
      '[1]',
      'null',
      '{"type":"assistant"}',
      '{"type":"assistant","message":{"id":"m","model":"x","usage":7}}',
      '{"type":"result","modelUsage":{"x":1}}',
      '{"type":"turn.completed","usage":"many"}'
    ]),
    []
  )
  t.match(usageIn(['{"type":"turn.completed","usage":{"input_tokens":-5,"output_tokens":1e300}}']), [
    { inputTokens: 0, outputTokens: 1e12, cachedTokens: 0 }
  ])
})

t.test('a run reports what its client used, with the price of a model where the client has no cost', async t => {
  const server = await serverWith(`cat ${pathOf('claude-code')} ${pathOf('codex')}`, {
    plugins,
    runner: { model: 'a-codex-model' },
    // Another attempt would report what it uses, too.
    delegation: { leaseSeconds: 60, prices: { 'a-codex-model': { inputUsd: 2, outputUsd: 10, cachedUsd: 0.2 } } }
  })
  t.teardown(() => server.close())
  const { key } = await readyIssue(server)
  const { id } = await delegate(server, key)
  t.equal((await isOver(server, id)).status, 'SUCCEEDED')
  const { usage } = await server.ok<{ usage: Usage }>(`/v1/issues/${key}/context`)
  const codexCost = (315 * 2 + 122 * 10 + 24448 * 0.2) / 1e6
  t.match(usage, { inputTokens: 12508 + 900 + 315, outputTokens: 410 + 60 + 122, estimated: true })
  t.ok(Math.abs(usage.costUsd! - (0.0592 + codexCost)) < 1e-5, `${usage.costUsd} USD`)
  t.notOk(usage.costUnknown)
  const { items } = await server.ok<{ items: Array<{ id: string }> }>('/v1/usage?by=run')
  t.match(items, [{ id }])
})

t.test('the token of a run reports for its run alone', async t => {
  const body = JSON.stringify({ reportId: 'mine', model: 'x', inputTokens: 10, outputTokens: 20, costUsd: 0.5 })
  const curl = `curl -s -H "Authorization: Bearer $TRACKER_TOKEN" -H 'Content-Type: application/json'`
  const delegation = { leaseSeconds: 60 }
  const server = await serverWith(`${curl} -d '${body}' "$TRACKER_URL/v1/usage"`, { plugins, delegation })
  t.teardown(() => server.close())
  await server.app.listen({ port: 0 })
  const { id: issueId, key } = await readyIssue(server)
  const { id } = await delegate(server, key)
  const { summary } = await isOver(server, id)
  t.match(JSON.parse(summary ?? '{}'), { issueId, runId: id, costUsd: 0.5 })
})

/** Writes usage in the format of Claude Code, and never ends. */
const ENDLESS = `head -n 5 ${pathOf('claude-code')}; sleep 600`
const SONNET = 'claude-sonnet-4-5-20250929'
const HAIKU = 'claude-haiku-4-5-20251001'
const prices = { [SONNET]: { inputUsd: 3, outputUsd: 15, cachedUsd: 0.3 }, [HAIKU]: { inputUsd: 1, outputUsd: 5 } }

t.test('a run that reaches its budget is ended, and its issue released with a note', async t => {
  const server = await serverWith(ENDLESS, { plugins, delegation: { prices, budget: { perRunUsd: 0.01 } } })
  t.teardown(() => server.close())
  const { key } = await readyIssue(server)
  const { id } = await delegate(server, key)
  const run = await isOver(server, id)
  t.match(run, { status: 'FAILED', error: { reason: 'BUDGET_EXCEEDED', message: /\$0\.04\d\d of \$0\.01.*perRunUsd/ } })
  const { rows } = await sql<{ reportedAt: Date }>`select max(updated_at) as reported_at from usage_report`.execute(
    server.database.db
  )
  const seconds = (Date.parse(run.finishedAt!) - rows[0]!.reportedAt.getTime()) / 1000
  t.ok(seconds < 5, `${seconds} s after the report`)
  const context = await server.ok<{ state: object; comments: object[] }>(`/v1/issues/${key}/context`)
  t.match(context, { state: { category: 'UNSTARTED' }, comments: [{ bodyMarkdown: /BUDGET_EXCEEDED/ }] })
})

t.test('without a cost only the tokens of a run are limited, and the run says so', async t => {
  const budget = { perRunUsd: 0.01, perRunTokens: 13_000 }
  const server = await serverWith(ENDLESS, { plugins, delegation: { budget } })
  t.teardown(() => server.close())
  const { key } = await readyIssue(server)
  const { id } = await delegate(server, key)
  t.match(await isOver(server, id), { error: { reason: 'BUDGET_EXCEEDED', message: /has used 13084 of 13000 tokens/ } })
  t.match(await outputOf(server, id, 'status'), /What it costs is unknown/)
})

t.test('the budget of an issue is set by people, counts what anybody reports, and stops further runs', async t => {
  const server = await serverWith('sleep 600', { plugins })
  t.teardown(() => server.close())
  const { key } = await readyIssue(server)
  const { token } = await server.agent('Helper')
  const refused = await server.call(`/v1/issues/${key}`, { token, body: { budgetUsd: 100 } })
  t.equal(refused.statusCode, 403)
  t.match(refused.json(), { message: /Only people set budgetUsd/ })
  const filed = await server.call('/v1/issues', { token, body: { teamId: 'ENG', title: 'A task', budgetUsd: 1 } })
  t.equal(filed.statusCode, 403, 'nor may an agent file an issue with one')
  t.match(await server.ok(`/v1/issues/${key}`, { body: { budgetUsd: 2 } }), { budgetUsd: 2 })

  const { id } = await delegate(server, key)
  await reaches(server, id, 'RUNNING')
  const figures = { model: 'x', inputTokens: 1, outputTokens: 1, issueId: key }
  await server.ok('/v1/usage', { token, body: { ...figures, reportId: 'one', costUsd: 1.5 } })
  await server.ok('/v1/usage', { token, body: { ...figures, reportId: 'two', costUsd: 0.5 } })
  t.match(await isOver(server, id), {
    error: { reason: 'BUDGET_EXCEEDED', message: 'The issue has cost $2.00 of $2.00 (its budgetUsd).' }
  })
  const again = await server.call('/v1/agent_runs', { body: { issueId: key } })
  t.equal(again.statusCode, 409)
  t.match(again.json(), { code: 'NOT_READY', reasons: [{ code: 'BUDGET_EXCEEDED' }] })
  await server.ok(`/v1/issues/${key}`, { body: { budgetUsd: null } })
  t.match(await delegate(server, key), { status: 'QUEUED' })
})

t.test('the budget of a day counts the runs of the workspace, and stops further ones until the next day', async t => {
  const server = await serverWith('sleep 600', { plugins, delegation: { leaseSeconds: 60, budget: { perDayUsd: 1 } } })
  t.teardown(() => server.close())
  const { key } = await readyIssue(server)
  const figures = { model: 'x', inputTokens: 1, outputTokens: 1 }
  await server.ok('/v1/usage', { body: { ...figures, reportId: 'a person', issueId: key, costUsd: 5 } })
  const { id } = await delegate(server, key)
  await reaches(server, id, 'RUNNING')
  t.pass('what no run has spent does not count')
  const { database } = server
  await sql`insert into usage_report (workspace_id, token_id, report_id, account_id, run_id, issue_id, model,
      input_tokens, output_tokens, cached_tokens, cost_micros, is_estimated, created_at, updated_at)
    select r.workspace_id, r.token_id, 'of the run', r.agent_id, r.id, r.issue_id, 'x',
      1, 1, 0, 1500000, false, now(), now() from agent_run r where r.id = ${id}`.execute(database.db)
  const other = await readyIssue(server)
  const refused = await server.call('/v1/agent_runs', { body: { issueId: other.key } })
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), {
    code: 'NOT_READY',
    reasons: [{ code: 'BUDGET_EXCEEDED', message: /^The day has cost \$1\.50 of \$1\.00 \(.*perDayUsd\)/ }]
  })
  await sql`update usage_report set created_at = created_at - interval '1 day' where run_id = ${id}`.execute(
    database.db
  )
  t.match(await delegate(server, other.key), { status: 'QUEUED' }, 'on the next day there is a new one')
})
