import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'

const server = await testServer()
t.teardown(() => server.close())

const description = 'The exporter loses the time zone of every date in the file.\n\n- [ ] dates keep their zone'
interface Issue {
  id: string
  key: string
  claim?: { holder: { id: string }; fence: number }
}
const file = (teamId: string, fields: object = {}) =>
  server.ok<Issue>('/v1/issues', { body: { teamId, title: 'Zones', descriptionMarkdown: description, ...fields } })

/** A team with an issue that an agent had begun, and one that was assigned to it, when it was removed. */
async function leftBehind(identifier: string) {
  const team = await server.ok<{ id: string }>('/v1/teams', { body: { identifier, name: identifier } })
  const gone = await server.agent(`Gone ${identifier}`)
  const begun = await file(team.id, { priority: 1 })
  const assigned = await file(team.id, { assigneeId: gone.id })
  await server.ok(`/v1/issues/${begun.key}/pick_up`, { token: gone.token, body: {} })
  await server.ok(`/v1/users/agents/${gone.id}`, { method: 'DELETE' })
  await server.idle()
  return { begun, assigned, other: await server.agent(`Other ${identifier}`) }
}

t.test('issues of an account that was removed can be begun, and are taken as the next ones', async t => {
  const { begun, assigned, other } = await leftBehind('NXT')
  const { token } = other
  const ready = await server.ok<{ issues: Issue[]; reasons: object }>('/v1/issues/ready?team=NXT', { token })
  t.strictSame(
    ready.issues.map(({ key }) => key),
    [begun.key, assigned.key]
  )
  t.strictSame(ready.reasons, {})
  for (const { key } of [begun, assigned]) {
    const issue = await server.ok<Issue>('/v1/issues/pick_up_next', { token, body: { team: 'NXT' } })
    t.match(issue, { key, claim: { holder: { id: other.id } } })
  }
})

t.test('nobody has to be asked for an issue of an account that was removed', async t => {
  const { begun, assigned, other } = await leftBehind('ONE')
  for (const { key } of [begun, assigned]) {
    const { statusCode } = await server.call(`/v1/issues/${key}/pick_up`, { token: other.token, body: {} })
    t.equal(statusCode, 200)
  }
})

t.test('what an account that was removed had in the backlog stays there', async t => {
  const { assigned, other } = await leftBehind('LOG')
  await server.ok(`/v1/issues/${assigned.key}`, { body: { state: 'Backlog' } })
  const { token } = other
  await server.ok('/v1/issues/pick_up_next', { token, body: { team: 'LOG' } })
  const next = await server.ok<{ issue: null }>('/v1/issues/pick_up_next', { token, body: { team: 'LOG' } })
  t.equal(next.issue, null)
})
