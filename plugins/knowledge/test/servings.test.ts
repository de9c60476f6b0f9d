import t from 'tap'
import { newToken } from '../../../core/auth/tokens.ts'
import { migratedDatabase } from '../../../test/runner/empty-database.ts'
import { onlyPlugins, startProcess } from '../../../test/runner/process.ts'

t.test('a server that is killed right after an answer has recorded what it served, once', async t => {
  const database = await migratedDatabase(process.env['TEST_DATABASE_URL'])
  t.teardown(database.remove)
  const token = newToken()
  const plugins = onlyPlugins('workspace', 'issues', 'comments', 'projects', 'search', 'knowledge')
  const env = { ...database.env, ...plugins, TRACKER_ADMIN_TOKEN: token }
  const headers = { authorization: `Bearer ${token}` }
  const first = await startProcess(env)
  const response = await fetch(`${first.url}/v1/knowledge`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Redis listens on port 6380.' })
  })
  const { id } = (await response.json()) as { id: string }
  const answers = await Promise.all(
    Array.from({ length: 5 }, async (_, n) => {
      const answer = await fetch(`${first.url}/v1/knowledge?query=redis`, {
        headers: { ...headers, 'x-request-id': `read-${n}` }
      })
      return answer.json() as Promise<object[]>
    })
  )
  await first.end('SIGKILL')
  for (const answer of answers) t.equal(answer.length, 1)

  const second = await startProcess(env)
  t.teardown(() => second.end('SIGTERM'))
  const servings = (await (await fetch(`${second.url}/v1/knowledge/${id}/servings`, { headers })).json()) as Array<{
    requestId: string
  }>
  t.strictSame(servings.map(s => s.requestId).sort(), ['read-0', 'read-1', 'read-2', 'read-3', 'read-4'])
})
