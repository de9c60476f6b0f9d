import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { CALLS } from './calls.ts'
import type { ModelCall } from './model-call.ts'
import { MORE_CALLS } from './more-calls.ts'

interface Result {
  isError?: boolean
  content: Array<{ text: string }>
  structuredContent: Record<string, unknown>
}

const server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
t.teardown(() => server.close())

async function call(board: TestServer, token: string, name: string, args: object): Promise<Result> {
  const answer = await board.call('/v1/mcp', {
    token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    headers: { accept: 'application/json, text/event-stream' }
  })
  return answer.json<{ result: Result }>().result
}

/** The board of a call, and an agent's token. */
async function makeBoard(setup: string | undefined) {
  const board = await server.board()
  const [{ token: caller }, { token: other }] = [await board.agent('Caller'), await board.agent('Other')]
  const issue = (title: string, acceptanceCriteria: string[], more: object = {}) => ({
    teamId: 'ENG',
    title,
    descriptionMarkdown: 'The column is empty in every export, and nobody noticed.',
    acceptanceCriteria,
    ...more
  })
  await board.ok('/v1/issues/bulk', {
    body: {
      issues: [
        issue('The export loses dates', ['The export writes ISO dates', 'A test exports one issue with a date'], {
          labels: ['bug']
        }),
        issue('Second', ['second'], { assignee: 'Caller' }),
        issue('Third', ['third'])
      ]
    }
  })
  if (setup === 'two teams') await board.ok('/v1/teams', { body: { identifier: 'OPS', name: 'Operations' } })
  if (setup === 'taken') await call(board, other, 'pick_up_task', { task: 'ENG-1' })
  if (setup === 'changed') await call(board, other, 'update_task', { task: 'ENG-1', title: 'Theirs', met: [1] })
  if (setup === 'closed') await call(board, caller, 'close_task', { task: 'ENG-1', resolution: 'Mended.' })
  return { board, caller }
}
/** The boards of calls that only read, or are refused. */
const shared = new Map<string | undefined, ReturnType<typeof makeBoard>>()
function boardFor({ tool, setup, refused }: ModelCall) {
  if (refused === undefined && !/^(get|list|search|find|load)_/.test(tool)) return makeBoard(setup)
  const board = shared.get(setup) ?? makeBoard(setup)
  shared.set(setup, board)
  return board
}

const names = async (board: TestServer) =>
  (await Promise.all(['/v1/labels', '/v1/projects', '/v1/users'].map(path => board.ok<object[]>(path)))).map(
    list => list.length
  )

const calls = [...CALLS, ...MORE_CALLS]
for (const modelCall of calls) {
  const { what, tool, args, done, then, of = 'ENG-1', refused } = modelCall
  t.test(`${what}: ${tool} ${JSON.stringify(args).slice(0, 100)}`, async t => {
    const { board, caller } = await boardFor(modelCall)
    const before = await names(board)
    if (/^(search|find)_/.test(tool)) await board.idle()
    const result = await call(board, caller, tool, args)
    if (refused !== undefined) {
      t.equal(result.isError, true)
      t.match(result.content[0]?.text, refused)
    } else {
      t.notOk(result.isError, result.content[0]?.text ?? '')
      if (done !== undefined) t.match(result.structuredContent, done)
    }
    if (then !== undefined) t.match(await board.ok(`/v1/issues/${of}/context`), then)
    if (tool === 'create_project') return
    t.strictSame(await names(board), before, 'no label, project or person was made')
  })
}

t.test('each call has an outcome', t => {
  t.ok(CALLS.length > 60 && MORE_CALLS.length >= 100, `${CALLS.length} and ${MORE_CALLS.length} calls`)
  for (const { what, done, then, refused } of calls) t.ok(refused ?? done ?? then, what)
  t.end()
})
