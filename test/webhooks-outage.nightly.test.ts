import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { configure } from '../core/config/config.ts'
import { build } from '../core/kernel/server.ts'
import { newToken } from '../core/auth/tokens.ts'
import { installed } from '../plugins/index.ts'
import { startReceiver } from '../plugins/webhooks/test/receiver.ts'
import { onPostgres } from './runner/harness.ts'
import { ownPostgres } from './runner/own-postgres.ts'

t.test('what happened before and after a restart of PostgreSQL arrives', { skip: !onPostgres }, async t => {
  const postgres = await ownPostgres()
  t.teardown(() => postgres.remove())
  const adminToken = newToken()
  const configuration = await configure(installed, {
    databaseUrl: postgres.url,
    maxEventLoopDelay: 0,
    plugins: {
      workspace: { enabled: true, adminToken },
      issues: { enabled: true },
      webhooks: { enabled: true, allowPrivateAddresses: true }
    }
  })
  const server = await build({ configuration, logger: pino({ level: 'silent' }) })
  t.teardown(() => server.close())
  await server.start()
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const post = (url: string, payload: object) =>
    server.app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${adminToken}` } })
  await post('/v1/webhooks', { url: receiver.url, types: ['issue.*'] })

  const filed = new Set<string>()
  const file = async (title: string) => {
    const answer = await post('/v1/issues', { teamId: 'ENG', title })
    if (answer.statusCode === 201) filed.add(answer.json<{ key: string }>().key)
    return answer.statusCode
  }
  // Slow answers, so that deliveries are in flight, and others wait, when the server is killed.
  receiver.answer = (_message, response) => setTimeout(() => response.end(), 50)
  for (let n = 0; n < 20; n++) await file(`Before ${n}`)
  await receiver.reached(1)
  await postgres.kill()
  await sleep(500)
  await postgres.start()
  while ((await file('After')) !== 201) await sleep(100)
  const missing = () => [...filed].filter(key => !receiver.received.some(({ data }) => data.subject?.key === key))
  while (missing().length > 0) await sleep(100)
  t.strictSame(missing(), [])
})
