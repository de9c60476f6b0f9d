import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { makeStreamReader, type ModelUsage } from '../usage/streams.ts'
import { delegate, isOver, PLUGINS, readyIssue, serverWith } from './helpers.ts'

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
    delegation: { prices: { 'a-codex-model': { inputUsd: 2, outputUsd: 10, cachedUsd: 0.2 } } }
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
  const server = await serverWith(`${curl} -d '${body}' "$TRACKER_URL/v1/usage"`, { plugins })
  t.teardown(() => server.close())
  await server.app.listen({ port: 0 })
  const { id: issueId, key } = await readyIssue(server)
  const { id } = await delegate(server, key)
  const { summary } = await isOver(server, id)
  t.match(JSON.parse(summary ?? '{}'), { issueId, runId: id, costUsd: 0.5 })
})
