import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'

interface Inbox {
  entries: Array<{ reason: string; subject: { type: string; id: string }; actor: object | null }>
}
const READY = 'The button does nothing when it is pressed.\n\n- [ ] it does something'

t.test('a failed run notifies its requester and watchers', async t => {
  const server = await testServer({
    plugins: ['workspace', 'agents', 'issues', 'comments', 'delegation', 'inbox'],
    settings: { plugins: { delegation: { leaseSeconds: 60, runner: { command: ['false'] } } } }
  })
  t.teardown(() => server.close())
  await server.app.listen({ port: 0 })
  const agent = await server.agent('Requester')
  const { key } = await server.ok<{ key: string }>('/v1/issues', {
    body: { teamId: 'ENG', title: 'Dead', descriptionMarkdown: READY }
  })
  const { id } = await server.ok<{ id: string }>('/v1/agent_runs', { token: agent.token, body: { issueId: key } })
  await server.idle()
  for (const token of [agent.token, server.token]) {
    const { entries } = await server.ok<Inbox>('/v1/inbox', { token })
    t.match(entries, [{ reason: 'run_failed', subject: { type: 'run', id } }])
  }
})

t.test('a lapsed claim notifies the creator and the holder', async t => {
  let at = Date.parse('2026-11-20T10:00:00.000Z')
  const server = await testServer({
    plugins: ['workspace', 'agents', 'issues', 'claims', 'inbox'],
    now: () => new Date(at)
  })
  t.teardown(() => server.close())
  const agent = await server.agent('Silent')
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Held' } })
  await server.ok(`/v1/issues/${key}/pick_up`, { token: agent.token, body: {} })
  at += 3 * 3600_000
  await server.jobs.enqueue(server.database.db, 'claims.lapseClaims', [{}])
  await server.idle()
  for (const token of [server.token, agent.token]) {
    const { entries } = await server.ok<Inbox>('/v1/inbox', { token })
    t.match(entries, [{ reason: 'claim_lapsed', actor: null, subject: { type: 'issue' } }])
  }
})
