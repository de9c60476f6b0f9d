import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { MASK } from '../runner/mask.ts'
import type { RunEvent } from '../queries/listing.ts'
import { makeStepRecorder } from '../steps/recorder.ts'
import { makeStepReader, type Step } from '../steps/streams.ts'
import { delegate, isOver, outputOf, readyIssue, serverWith } from './helpers.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`streams/${name}.jsonl`, import.meta.url))
const linesOf = (name: string) => readFileSync(pathOf(name), 'utf8').trimEnd().split('\n')
const short = ({ type, name, text }: Step) => [type, name, text]

function stepsIn(lines: readonly string[]) {
  const read = makeStepReader()
  return lines.flatMap(line => read(line) ?? []).map(short)
}
const json = (...lines: object[]) => lines.map(line => JSON.stringify(line))

t.test('the stream of Claude Code has messages, calls of tools, changed files and failures', async t => {
  t.strictSame(stepsIn(linesOf('claude-code')), [
    ['message', null, 'I read the task first.'],
    ['tool', 'Bash', 'npm test'],
    ['message', null, 'The sub-agent looked for the button.'],
    ['message', null, 'API Error: Overloaded'],
    ['message', null, 'The button works.']
  ])
  const use = (id: string, name: string, input: object) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name, input }] }
  })
  const content = [{ type: 'tool_result', tool_use_id: 'b', is_error: true, content: [{ type: 'text', text: 'No.' }] }]
  const lines = json(
    use('a', 'Edit', { file_path: '/repo/button.ts', old_string: 'a', new_string: 'b' }),
    use('b', 'mcp__tracker__get_task', { ref: 'ENG-1', deep: { a: 1 } }),
    { type: 'user', message: { content } },
    { type: 'result', subtype: 'error_max_turns', is_error: true }
  )
  t.strictSame(stepsIn(lines), [
    ['file', 'Edit', '/repo/button.ts'],
    ['tool', 'mcp__tracker__get_task', 'ref: ENG-1, deep: {"a":1}'],
    ['failure', 'mcp__tracker__get_task', 'No.'],
    ['failure', 'error_max_turns', '']
  ])
})

t.test('the stream of Codex has them; a call is one step, when it begins', async t => {
  t.strictSame(stepsIn(linesOf('codex')), [
    ['tool', 'command', "bash -lc 'npm test'"],
    ['message', null, 'The button works.']
  ])
  const lines = json(
    { type: 'item.completed', item: { id: '1', type: 'command_execution', command: 'ls', exit_code: 2 } },
    { type: 'item.completed', item: { id: '2', type: 'file_change', changes: [{ path: 'a.ts', kind: 'add' }, {}] } },
    {
      type: 'item.completed',
      item: {
        id: '3',
        type: 'mcp_tool_call',
        server: 'tracker',
        tool: 'get_task',
        status: 'failed',
        error: { message: 'No.' }
      }
    },
    { type: 'item.updated', item: { id: '4', type: 'todo_list', items: [] } },
    { type: 'turn.failed', error: { message: 'The model is overloaded.' } }
  )
  t.strictSame(stepsIn(lines), [
    ['tool', 'command', 'ls'],
    ['failure', 'command', ''],
    ['file', 'add', 'a.ts'],
    ['file', 'update', ''],
    ['tool', 'tracker.get_task', ''],
    ['failure', 'tracker.get_task', 'No.'],
    ['failure', null, 'The model is overloaded.']
  ])
})

t.test('real clients, recorded by scripts/clients.ts, have the steps of their task', async t => {
  const recorded = { 'claude-code': 'mcp__tracker__', codex: 'tracker.', opencode: 'tracker_' }
  for (const [client, prefix] of Object.entries(recorded)) {
    const steps = stepsIn(linesOf(`recorded/${client}`))
    const tools = steps.filter(([type]) => type === 'tool').map(([, name]) => name)
    const ownTools = tools.filter(name => name?.startsWith(prefix)).map(name => name?.slice(prefix.length))
    t.strictSame(ownTools, ['get_task', 'update_task', 'add_note', 'close_task'], client)
    t.ok(
      tools.some(name => /^(bash|command)$/i.test(String(name))),
      `${client} has a command`
    )
    t.strictSame(steps.at(-1), ['message', null, 'The task is done.'])
  }
})

t.test('the stream of opencode has them', async t => {
  t.strictSame(stepsIn(linesOf('opencode')), [
    ['tool', 'bash', 'npm test'],
    ['file', 'edit', '/repo/button.ts'],
    ['tool', 'read', '/repo/none.ts'],
    ['failure', 'read', 'File not found: /repo/none.ts'],
    ['message', null, 'The button works.']
  ])
  const error = { type: 'error', error: { name: 'ProviderAuthError', data: { message: 'No key.' } } }
  t.strictSame(stepsIn(json(error)), [['failure', null, 'No key.']])
})

t.test('other lines are no steps, and strange ones break nothing', async t => {
  const read = makeStepReader()
  for (const line of ['npm test', '{"type":', '[1]', 'null', '{"type":"other"}', '{}']) {
    t.equal(read(line), undefined, line)
  }
  const strange = json(
    { type: 'assistant' },
    { type: 'assistant', message: { content: [null, 7, { type: 'tool_use' }, { type: 'text', text: 7 }] } },
    { type: 'user', message: { content: 'text' } },
    { type: 'item.completed', item: [] },
    { type: 'item.completed', item: { type: 'file_change', changes: 'many' } },
    { type: 'tool_use', part: 7 },
    { type: 'text' }
  )
  t.strictSame(stepsIn(strange), [])
})

function recorded(lines: readonly string[], options: { limits?: { steps: number; kept: number } } = {}) {
  const stored: RunEvent[] = []
  let failures = 1
  const recorder = makeStepRecorder({
    mask: text => text.replaceAll('hunter22', MASK),
    async write(events) {
      if (failures-- > 0) throw new Error('The database is away.')
      stored.push(...events)
    },
    abandoned: new AbortController().signal,
    ...options
  })
  for (const line of lines) recorder.readLine(line)
  return recorder.end().then(() => ({ stored, last: recorder.lastMessage() }))
}
const said = (text: string) => JSON.stringify({ type: 'text', part: { text } })

t.test('steps are masked, shortened and stored once, also after a failure of the database', async t => {
  const { stored, last } = await recorded([
    said(`${'x'.repeat(3_996)}hunter22 and more`),
    JSON.stringify({
      type: 'tool_use',
      part: { tool: 'bash', state: { input: { command: 'echo hunter22\u001b[31m\0' } } }
    }),
    said('Done.'),
    said('Done.')
  ])
  t.match(stored, [
    { type: 'message', text: /^x{3996}\[mas…$/ },
    { type: 'tool', name: 'bash', text: `echo ${MASK}` },
    { type: 'message', text: 'Done.' }
  ])
  t.equal(stored.length, 3, 'a result that repeats the last message is none')
  t.equal(last, 'Done.')
})

t.test('the number of steps and their size are limited', async t => {
  const many = Array.from({ length: 10 }, (_, index) => said(`${index}`))
  const { stored, last } = await recorded(many, { limits: { steps: 3, kept: 1_000 } })
  t.strictSame(
    stored.map(({ type }) => type),
    ['message', 'message', 'message', 'status']
  )
  t.equal(last, '9', 'the last message is known nevertheless')
  const large = Array.from({ length: 10 }, (_, index) => said(`${index}${'x'.repeat(600)}`))
  const { stored: few } = await recorded(large, { limits: { steps: 100, kept: 1_000 } })
  t.match(few.at(-1), { type: 'status', text: /more steps than are kept/ })
  t.equal(few.length, 3)
})

t.test('a run has steps beside its output, and its summary is text', async t => {
  const server = await serverWith(`cat ${pathOf('opencode')}; echo "$SECRET is pushed."`, {
    runner: { env: { SECRET: 'hunter22' } },
    delegation: { leaseSeconds: 60 }
  })
  t.teardown(() => server.close())
  const { key } = await readyIssue(server)
  const { id } = await delegate(server, key)
  const run = await isOver(server, id)
  t.match(run, { status: 'SUCCEEDED', error: null })
  t.equal(run.summary, `The button works.\n\n${MASK} is pushed.`)
  const steps = await server.ok<Array<Step & { seq: number; at: string }>>(`/v1/agent_runs/${id}/steps`)
  t.match(
    steps.map(({ type, name, text }) => ({ type, name, text })),
    [
      { type: 'status', text: /Requested by/ },
      { type: 'status', text: 'Attempt 1 begins.' },
      { type: 'tool', name: 'bash', text: 'npm test' },
      { type: 'file', name: 'edit', text: '/repo/button.ts' },
      { type: 'tool', name: 'read' },
      { type: 'failure', name: 'read' },
      { type: 'message', name: null, text: 'The button works.' },
      { type: 'status', text: 'SUCCEEDED.' }
    ]
  )
  const after = steps.at(-3)!.seq
  const rest = await server.ok<object[]>(`/v1/agent_runs/${id}/steps?after=${after}&limit=1`)
  t.match(rest, [{ type: 'message' }])
  t.equal(rest.length, 1)
  t.match(await outputOf(server, id), /"type":"step_start"/, 'the output is unchanged')
  t.equal((await server.call(`/v1/agent_runs/${key}/steps`)).statusCode, 400)
})
