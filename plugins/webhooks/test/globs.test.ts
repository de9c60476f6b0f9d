import t from 'tap'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { matchesGlob } from '../globs.ts'
import { startReceiver } from './receiver.ts'

/** A regular expression of this takes longer than the universe has lasted. */
const HOSTILE = `${'*'.repeat(24)}a`

let server: TestServer
t.before(async () => {
  server = await testServer({
    plugins: ['workspace', 'issues', 'webhooks'],
    settings: { plugins: { webhooks: { allowPrivateAddresses: true } } }
  })
})
t.teardown(() => server.close())

t.test('a pattern with more than a few stars is refused, new or changed', async t => {
  const url = 'https://receiver.example/'
  const refusal = {
    statusCode: 400,
    code: 'VALIDATION',
    field: 'types.1',
    message: /body\.types\.1 has more than 4 stars: write .* issue\.\*/
  }
  const refused = await server.call('/v1/webhooks', { body: { url, types: ['issue.*', HOSTILE] } })
  t.match(refused.json(), refusal)
  const { id } = await server.ok<{ id: string }>('/v1/webhooks', { body: { url, types: ['*i*s*e.*'] } })
  const changed = await server.call(`/v1/webhooks/${id}`, { body: { types: ['issue.*', HOSTILE] } })
  t.match(changed.json(), refusal)
  await server.ok(`/v1/webhooks/${id}`, { method: 'DELETE' })
})

t.test('a pattern that an earlier version has stored hangs nobody', async t => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const bad = await server.ok<{ id: string }>('/v1/webhooks', { body: { url: receiver.url, types: ['none'] } })
  const types = Array.from({ length: 50 }, () => HOSTILE)
  await server.database.db
    .updateTable('webhook' as never)
    .set({ types } as never)
    .execute()
  await server.ok('/v1/webhooks', { body: { url: receiver.url, types: ['issue.created'] } })
  await server.ok('/v1/issues', { body: { teamId: 'ENG', title: 'Filed' } })
  await receiver.reached(1)
  t.match(receiver.received, [{ type: 'issue.created' }])
  t.match(await server.ok(`/v1/webhooks/${bad.id}`), { types }, 'and it can be read and removed')
})

t.test('globs match as their regular expressions would', async t => {
  const characters = ['a', 'b', '.', '*']
  const textOf = (n: number) => Array.from({ length: n % 6 }, (_, i) => characters[(n >>> (2 * i + 3)) % 4]).join('')
  let matching = 0
  for (let n = 0; n < 20_000; n++) {
    const [glob, text] = [textOf(n * 7919), textOf(n * 104_729).replaceAll('*', 'a')]
    const isMatch = new RegExp(`^${glob.split('*').map(RegExp.escape).join('.*')}$`).test(text)
    if (isMatch) matching++
    if (matchesGlob(glob, text) !== isMatch) t.fail(`${glob} and ${text}`)
  }
  t.ok(matching > 1_000, `${matching} of them match`)
})
