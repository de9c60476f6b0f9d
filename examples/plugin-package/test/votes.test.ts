import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callTool, testServer, type TestServer } from 'tracker/test'

let server: TestServer
before(async () => {
  server = await testServer({
    plugins: ['workspace', 'agents', 'issues', 'mcp'],
    also: { votes: () => import('../src/index.ts') },
    settings: { plugins: { votes: { maxPerIssue: 2 } } }
  })
})
after(() => server.close())

const file = () => server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Dark mode' } })
const vote = { method: 'POST' } as const

test('an account votes once', async () => {
  const { key } = await file()
  await server.ok(`/v1/votes?issueId=${key}`, vote)
  await server.ok(`/v1/votes?issueId=${key}`, vote)
  assert.deepEqual(await server.ok(`/v1/votes?issueId=${key}`), { votes: 1 })
})

test('agents vote with a tool', async () => {
  const { key } = await file()
  await server.ok(`/v1/votes?issueId=${key}`, vote)
  const { token } = await server.agent('Voter')
  assert.deepEqual(await callTool(server, 'vote_for_task', { task: key }, token), { votes: 2 })
})

test('an issue has as many votes as the settings allow', async () => {
  const { key } = await file()
  for (const name of ['One', 'Two']) {
    await server.ok(`/v1/votes?issueId=${key}`, { ...vote, token: (await server.agent(name)).token })
  }
  assert.equal((await server.call(`/v1/votes?issueId=${key}`, vote)).statusCode, 409)
})

test('another workspace sees nothing of it', async () => {
  const { key } = await file()
  const { token } = await server.otherWorkspace()
  assert.equal((await server.call(`/v1/votes?issueId=${key}`, { token })).statusCode, 404)
})
