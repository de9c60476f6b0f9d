import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { mcpAgent, type McpAgent } from '../../../test/mcp-client.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

interface Entry {
  id: string
  content: string
  doubt: string | null
  standing: { helped: number; wrong: number; completed: number; canceled: number; reopened: number }
}
interface Issue {
  id: string
  key: string
}

let server: TestServer
let agent: McpAgent
t.before(async () => {
  server = await testServer({ settings: { plugins: { mcp: { rateLimit: 0 } } } })
  agent = await mcpAgent(server, (await server.agent('Ada')).token)
})
t.teardown(async () => {
  server.app.server.closeAllConnections()
  await server.close()
})

const fact = (content: string, more: object = {}) =>
  server.ok<Entry>('/v1/knowledge', { body: { content, force: true, ...more } })
const read = (id: string) => server.ok<Entry>(`/v1/knowledge/${id}?record=false`)
const file = (title: string, descriptionMarkdown = 'It is slow.\n\n- [ ] fast') =>
  server.ok<Issue>('/v1/issues', { body: { teamId: 'ENG', title, descriptionMarkdown } })
const list = (query: string) => server.ok<Entry[]>(`/v1/knowledge?record=false&${query}`)

/** Reads an entry until the events of its issues were followed. */
async function readUntil(id: string, isDone: (entry: Entry) => boolean): Promise<Entry> {
  for (let looks = 1; looks <= 200; looks++) {
    const entry = await read(id)
    if (isDone(entry)) return entry
    await sleep(50)
  }
  return read(id)
}

t.test('an account marks an entry once for each issue, and the last word counts', async t => {
  const { id } = await fact('The cache is cleared at midnight.')
  const { key } = await file('Marked')
  const mark = (body: object, token?: string) =>
    server.ok('/v1/knowledge/marks', { body, ...(token !== undefined && { token }) })
  t.match(await mark({ helped: [id], issueId: key }), { helped: [id], wrong: [] })
  await mark({ helped: [id], issueId: key })
  t.match(await read(id), { standing: { helped: 1, wrong: 0 } })
  await mark({ wrong: [id.toUpperCase()], issueId: key })
  t.match(await read(id), { standing: { helped: 0, wrong: 1 } })
  await mark({ helped: [id] })
  await mark({ helped: [id] })
  await mark({ helped: [id], issueId: key }, (await server.agent('Bob')).token)
  t.match(await read(id), { standing: { helped: 2, wrong: 1 } }, 'without an issue, and of another account')
  t.match(await list('standing=HELPED'), [{ id }])
  t.match(await list('standing=WRONG&query=cache'), [{ id }])
})

t.test('a mark names an entry by its id or the beginning of it', async t => {
  const { id } = await fact('Lists begin at one.')
  const call = (body: object) => server.call('/v1/knowledge/marks', { body })
  t.equal((await call({ helped: [id.slice(0, 30)] })).statusCode, 200)
  t.match((await call({ helped: [id.slice(0, 7)] })).json(), { statusCode: 400, message: /their first 8 characters/ })
  t.match((await call({ wrong: ['nonsense'] })).json(), { statusCode: 400, message: /“nonsense”/ })
  t.match((await call({ helped: ['00000000'] })).json(), { statusCode: 404 })
  t.match((await call({ helped: [id], wrong: [id] })).json(), { statusCode: 400, message: /say one of both/ })
  t.match((await call({})).json(), { statusCode: 400, message: /Send body.helped/ })
  await fact('Lists end at zero.')
  t.match((await call({ helped: [id.slice(0, 8)] })).json(), { statusCode: 400, message: /several ids begin/ })
})

t.test('marks of two accounts at once are both kept, and those of one count once', async t => {
  const { id } = await fact('Races are won by both.')
  const tokens = [server.token, (await server.agent('Cy')).token]
  const mark = (token: string) => server.ok('/v1/knowledge/marks', { token, body: { helped: [id] } })
  await Promise.all([...tokens, ...tokens, ...tokens].map(mark))
  t.match(await read(id), { standing: { helped: 2 } })
})

t.test('a serving is followed by how its issue ended', async t => {
  const { id } = await fact('Turtles sleep under water.')
  const { key } = await file('Turtles sleep badly')
  await agent.ok('load_context', { task: key })
  await agent.ok('close_task', { task: key, resolution: 'Water.', met: [1] })
  t.match(await readUntil(id, ({ standing }) => standing.completed === 1), { standing: { completed: 1, reopened: 0 } })
  await server.ok(`/v1/issues/${key}`, { body: { state: 'Todo' } })
  const reopened = await readUntil(id, ({ standing }) => standing.reopened === 1)
  t.match(reopened, { standing: { completed: 0, reopened: 1 } })
  await server.ok(`/v1/issues/${key}`, { body: { state: 'Canceled' } })
  t.match(await readUntil(id, ({ standing }) => standing.canceled === 1), { standing: { canceled: 1, reopened: 0 } })
  t.match(await list('standing=UNHELPED&query=turtles'), [{ id }])
})

t.test('an entry is doubted when its issue changes or is reopened, until somebody looks at it again', async t => {
  const { key } = await file('Penguins')
  const own = await agent.ok<{ id: string }>('remember', { content: 'Penguins cannot fly.', task: key })
  const { id } = await fact('Penguins swim fast.', { issueId: key })
  await agent.ok('update_task', { task: key, met: [1] })
  t.match(await read(own.id), { doubt: null }, 'a tick changes nothing')
  await agent.ok('update_task', { task: key, description: 'They are fast.\n\n- [x] fast' })
  t.match(await read(id), { doubt: 'CHANGED' })
  t.match(await read(own.id), { doubt: null }, 'who changed the issue knows what they had written')
  const known = await agent.ok<{ ask?: string; entries: Entry[] }>('load_context', { task: key })
  t.match(known.ask, /helped or wrong of close_task/)
  t.match(
    known.entries.find(entry => entry.id === id),
    { doubt: 'CHANGED' }
  )
  t.ok(known.entries.findIndex(entry => entry.id === own.id) < known.entries.findIndex(entry => entry.id === id))
  t.match(await list('standing=DOUBTED'), [{ id }])
  await agent.ok('close_task', { task: key, resolution: 'They are.', helped: [id], wrong: [own.id] })
  t.match(await read(id), { doubt: null, standing: { helped: 1 } })
  t.match(await read(own.id), { standing: { wrong: 1 } })
  await server.ok(`/v1/issues/${key}`, { body: { state: 'Todo' } })
  t.match(await readUntil(id, ({ doubt }) => doubt !== null), { doubt: 'REOPENED' })
  await server.ok(`/v1/knowledge/${id}`, { body: { status: 'ACTIVE' } })
  t.match(await read(id), { doubt: null }, 'it was looked at')
})

t.test('an unknown entry keeps the task open, and the call can be repeated', async t => {
  const { key } = await file('Repeated')
  t.match(await agent.refused('close_task', { task: key, resolution: 'Done.', helped: ['ffffffff'] }), /ffffffff/)
  t.match(await server.ok(`/v1/issues/${key}/context`), { state: { category: 'UNSTARTED' } })
  t.match(await agent.ok('close_task', { task: key, resolution: 'Done.', met: [1] }), { state: 'Done' })
})

t.test('what helped is served sooner, what is wrong later, and what is new in between', async t => {
  const contents = ['Zebras are striped in black.', 'Zebras are striped in white.', 'Zebras are striped in grey.']
  const [helped, unknown, wrong] = (await Promise.all(contents.map(content => fact(content)))).map(({ id }) => id)
  for (const title of ['Zebra one', 'Zebra two', 'Zebra three']) {
    const { key } = await file(title)
    await server.ok('/v1/knowledge/marks', { body: { issueId: key, helped: [helped], wrong: [wrong] } })
  }
  const listed = await list('query=zebras+striped')
  t.strictSame(
    listed.map(({ id }) => id),
    [helped, unknown, wrong]
  )
  const { entries } = await agent.ok<{ entries: Entry[] }>('load_context', { query: 'zebras striped' })
  t.strictSame(
    entries.map(({ id }) => id),
    [helped, unknown, wrong]
  )
  t.match(entries[0], { helped: 3 })
})
