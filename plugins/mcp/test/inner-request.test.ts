import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { sendInside } from '../fast-path/inner-request.ts'
import type { RestRequest } from '../tool-calls.ts'

const server = await testServer({ plugins: ['workspace', 'issues', 'comments'], settings: { jobs: false } })
t.teardown(() => server.close())
const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Größer 🚀' } })
const authorization = `Bearer ${server.token}`

const REQUESTS: Array<[title: string, request: Omit<RestRequest, 'headers'>]> = [
  ['a read', { method: 'GET', url: `/v1/issues/${key}/context` }],
  ['a query', { method: 'GET', url: '/v1/issue_comments?issueId=ENG-1' }],
  ['a body', { method: 'POST', url: '/v1/issues/filter', payload: { page: 1, total: 'none' } }],
  ['a write', { method: 'POST', url: `/v1/issues/${key}`, payload: { title: 'Größer 🚀' } }],
  ['a body that is refused', { method: 'POST', url: '/v1/issues', payload: { title: 7 } }],
  ['a body that is too large', { method: 'POST', url: '/v1/issues', payload: { title: 'x'.repeat(9 * 1024 * 1024) } }],
  ['a missing body', { method: 'POST', url: '/v1/issues' }],
  ['a missing thing', { method: 'DELETE', url: '/v1/issues/ENG-99' }],
  ['a missing route', { method: 'GET', url: '/v1/nothing' }]
]
for (const [title, request] of REQUESTS) {
  t.test(`${title} is answered inside the process as it is outside`, async t => {
    const headers = { authorization, 'x-request-id': 'same' }
    const inside = await sendInside(server.app, { ...request, headers })
    const outside = await server.app.inject({ ...request, headers })
    t.equal(inside.statusCode, outside.statusCode)
    t.strictSame(inside.json(), outside.json())
  })
}

t.test('what no token allows is refused', async t => {
  const answer = await sendInside(server.app, { method: 'GET', url: '/v1/users/me', headers: {} })
  t.equal(answer.statusCode, 401)
})

t.test('an answer in pieces is put together', async t => {
  const title = '🚀'.repeat(250_000)
  for (let n = 0; n < 3; n++) {
    await server.ok('/v1/issues', { body: { teamId: 'ENG', title: `Long ${n}`, descriptionMarkdown: title } })
  }
  const request = { method: 'POST' as const, url: '/v1/issues/filter', payload: { view: 'full', page: 1 } }
  const answer = await sendInside(server.app, { ...request, headers: { authorization } })
  const { issues } = answer.json<{ issues: Array<{ descriptionMarkdown: string }> }>()
  t.equal(issues.filter(({ descriptionMarkdown }) => descriptionMarkdown === title).length, 3)
})

t.test('an answer that breaks off is an error', async t => {
  const routing = (_request: unknown, response: { destroy(): unknown }) => {
    response.destroy()
  }
  const sent = sendInside({ routing } as never, { method: 'GET', url: '/v1/users/me', headers: {} })
  await t.rejects(sent, /GET \/v1\/users\/me broke off/)
})
