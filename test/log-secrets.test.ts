import t from 'tap'
import { contract } from '../core/api/contract.ts'
import { definePlugin, dependsOn } from '../core/api/plugin.ts'
import { newToken } from '../core/auth/tokens.ts'
import { testServer } from './runner/harness.ts'

t.test('each test server fails its test if a token is in its log', async t => {
  const careless = definePlugin(dependsOn(contract()('careless')), {
    summary: 'Logs a token',
    register(ctx) {
      ctx.log.info({ token: newToken() }, 'a token was made')
    }
  })
  const server = await testServer({ plugins: [], also: { careless: async () => ({ default: careless }) } })
  await t.rejects(server.close(), /The log has tokens: .*a token was made/)
})

t.test('the tokens that requests carry are not logged', async t => {
  const logLines: string[] = []
  const server = await testServer({ plugins: ['workspace', 'issues'], logLines })
  await server.ok('/v1/users/me')
  await server.call('/v1/users/me', { token: newToken() })
  await server.call(`/v1/users/me?token=${newToken()}`)
  await server.call(`/v1/issues/${newToken()}`)
  await server.close()
  t.ok(logLines.some(line => line.includes('/v1/users/me')))
})
