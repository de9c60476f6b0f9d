import t from 'tap'
import { asWorker, hookServer, type HookServer } from './client.ts'

let server: HookServer
t.before(async () => {
  server = await hookServer()
})
t.teardown(() => server.close())

async function asker(name: string) {
  const { token } = await server.agent(name)
  const { key } = await server.ok<{ key: string }>('/v1/issues', { body: { teamId: 'ENG', title: 'Dates' } })
  const ask = async (session?: string) => {
    const { id } = await server.ok<{ id: string }>(`/v1/issue_comments?issueId=${key}`, {
      token,
      body: { bodyMarkdown: 'Keep the old format?', question: {} },
      ...(session !== undefined && { headers: { 'x-tracker-session': session } })
    })
    return id
  }
  return { worker: asWorker(server, token), key, ask }
}
const close = (id: string, how: 'answer' | 'withdraw', body: object) =>
  server.ok(`/v1/issue_comments/${id}/${how}`, { body })

t.test('the asking agent is sent an answer once, by its next hook', async t => {
  const { worker, key, ask } = await asker('Asker')
  await worker.hook('session-start')
  const id = await ask()
  t.equal(await worker.hook('prompt'), undefined)
  await close(id, 'answer', { bodyMarkdown: 'Yes, **both**.' })
  t.equal(
    await worker.hook('prompt'),
    `Administrator answered your question on the task ${key} ("Keep the old format?"): Yes, **both**.`
  )
  t.equal(await worker.hook('prompt'), undefined)
  await close(await ask(), 'withdraw', {})
  t.match(await worker.hook('stop'), `Administrator withdrew your question on the task ${key}`)
})

t.test('an answer is sent to the session that asked, or to the next one that starts', async t => {
  const { worker, ask } = await asker('Two sessions')
  await close(await ask('first'), 'answer', { bodyMarkdown: 'That.' })
  t.equal(await worker.hook('prompt', { session_id: 'second' }), undefined)
  t.match(await worker.hook('prompt', { session_id: 'first' }), 'That.')
  await close(await ask('first'), 'answer', { bodyMarkdown: 'This.' })
  t.match(await worker.hook('session-start', { session_id: 'third' }), 'This.')
})
