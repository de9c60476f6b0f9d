import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'

/* While it is off, a team's rule is stored but not enforced; turned on again, nobody gets the ticks of others. */

interface Thing {
  id: string
  key: string
}
const withoutProof = ['workspace', 'agents', 'issues', 'comments']
const settings = { jobs: false, plugins: { mcp: { rateLimit: 0 } } }
const description = '- [ ] One\n- [ ] Two\n- [ ] Three'

/** Restarts the server with other plugins, on the same data. */
async function restart(t: Test, on: TestServer, plugins?: readonly string[]) {
  const logLines: string[] = []
  const server = await testServer({ settings, on, logLines, ...(plugins && { plugins }) })
  t.teardown(() => server.close())
  return { server, logLines }
}

t.test('without proof, evidence is refused, and issues are completed whatever their criteria say', async t => {
  const server = await testServer({ plugins: withoutProof, settings })
  t.teardown(() => server.close())
  const { token } = await server.agent('Builder')
  const { key } = await server.ok<Thing>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Work', descriptionMarkdown: description }
  })
  await server.ok('/v1/teams/ENG', { body: { closing: { criteria: 'PROVEN' } } })
  const met = [{ criterion: 1, evidence: 'Here' }]
  for (const [path, body] of [
    [`/v1/issues/${key}`, { criteria: { met } }],
    [`/v1/issues/${key}/criteria`, { met }],
    [`/v1/issue_comments?issueId=${key}`, { bodyMarkdown: 'Done', met }]
  ] as const) {
    t.equal((await server.call(path, { body })).statusCode, 400, path)
  }
  await server.ok(`/v1/issues/${key}`, { token, body: { criteria: { met: [1] } } })
  t.strictSame((await server.ok<{ definitionOfDone: object }>(`/v1/issues/${key}/context`)).definitionOfDone, {
    met: 1,
    total: 3
  })
  await server.ok(`/v1/issues/${key}`, { token, body: { state: 'COMPLETED' } })
  t.match(await server.ok('/v1/teams/ENG'), { closing: { criteria: 'PROVEN' } }, 'the rule is kept')
})

t.test('turned off it says so at the start; turned on again, it enforces the rules', async t => {
  const first = await testServer({ settings })
  t.teardown(() => first.close())
  const { token } = await first.agent('Builder')
  const { key } = await first.ok<Thing>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Work', descriptionMarkdown: description }
  })
  await first.ok('/v1/teams/ENG', { body: { closing: { criteria: 'PROVEN' } } })
  const proven = { criterion: 1, evidence: 'A test' }
  await first.ok(`/v1/issues/${key}`, { token, body: { criteria: { met: [proven] } } })

  const off = await restart(t, first, withoutProof)
  await off.server.app.listen({ port: 0 })
  const warning = 'The team ENG has a rule for completing issues, which is kept and not enforced'
  while (!off.logLines.some(line => line.includes(warning))) await sleep(20) // until the limit of the test
  await off.server.ok(`/v1/issues/${key}`, { token, body: { criteria: { met: [2] } } })

  const { server } = await restart(t, off.server)
  const { definitionOfDone } = await server.ok<{ definitionOfDone: object }>(`/v1/issues/${key}/context`)
  t.match(definitionOfDone, { met: 2, items: [{ n: 1, evidence: 'A test' }] }, 'what was kept is there')
  const other = await server.agent('Other')
  const third = { criterion: 3, evidence: 'Another test' }
  await server.ok(`/v1/issues/${key}`, { token: other.token, body: { criteria: { met: [third] } } })
  await server.ok(`/v1/issues/${key}`, { token: other.token, body: { state: 'COMPLETED' } })
  t.pass('the tick that was set while it was off is nobody’s, and needs no evidence')
  const { key: next } = await server.ok<Thing>('/v1/issues', {
    body: { teamId: 'ENG', title: 'More', descriptionMarkdown: description }
  })
  const refused = await server.call(`/v1/issues/${next}`, { token, body: { state: 'COMPLETED' } })
  t.match(refused.json(), { statusCode: 409, code: 'CRITERIA_UNMET' })
})
