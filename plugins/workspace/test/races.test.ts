import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { transferOf } from '../../../test/transfer.ts'

// The embedded database has one connection, so nothing races there.
const skip = onPostgres ? false : 'the embedded database has one connection'
const ROUNDS = 10
const AT_ONCE = 4

t.test('of equal requests at once, one lets a person sign in, removes them, or removes a team', { skip }, async t => {
  const server = await testServer({ settings: { databasePool: 20 } })
  t.teardown(() => server.close())
  const { read } = await transferOf(server)
  await read(
    Array.from({ length: ROUNDS }, (_, n) => {
      const fullname = `Person ${n}`
      return {
        kind: 'account',
        externalId: `p${n}`,
        type: 'PERSON',
        role: 'MEMBER',
        fullname,
        email: `p${n}@example.org`
      }
    })
  )
  const people = await server.ok<Array<{ id: string; fullname: string }>>('/v1/users')
  const imported = people.filter(({ fullname }) => fullname.startsWith('Person'))
  t.equal(imported.length, ROUNDS)
  const statusesOf = async (method: 'POST' | 'DELETE', path: string) => {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => server.call(path, { method })))
    return answers.map(({ statusCode }) => statusCode).sort()
  }
  for (const [n, { id }] of imported.entries()) {
    t.strictSame(await statusesOf('POST', `/v1/users/${id}/token`), [201, 409, 409, 409])
    t.strictSame(await statusesOf('DELETE', `/v1/users/${id}`), [200, 404, 404, 404])
    await server.ok('/v1/teams', { body: { identifier: `T${n}`, name: `Team ${n}` } })
    t.strictSame(await statusesOf('DELETE', `/v1/teams/T${n}`), [200, 404, 404, 404])
  }
})
