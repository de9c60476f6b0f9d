import t from 'tap'
import { onPostgres, testServer, type TestServer } from '../../../test/runner/harness.ts'
import {
  approved,
  begin,
  connected,
  exchange,
  mcp,
  plugins,
  refresh,
  register,
  sendForm,
  type Tokens
} from './client.ts'

const needsPostgres = onPostgres ? {} : { skip: 'the embedded database has one connection' }

let first: TestServer
let second: TestServer
t.before(async () => {
  if (!onPostgres) return
  const settings = { plugins: { mcp: { rateLimit: 0 }, oauth: { registrationsPerHour: 1000 } } }
  first = await testServer({ plugins, settings })
  second = await testServer({ plugins, settings, on: first })
})
t.teardown(async () => {
  await second?.close()
  await first?.close()
})
/** Both replicas, in turn. */
const replica = (n: number) => (n % 2 === 0 ? first : second)
const count = (answers: Array<{ statusCode: number }>, status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length

t.test('of several uses of a code at once one gets tokens, which the others end', needsPostgres, async t => {
  for (let round = 0; round < 5; round++) {
    const flow = begin(await register(first))
    const code = await approved(first, flow, { newAgent: `Code ${round}` })
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => exchange(replica(n), flow, code)))
    t.equal(count(answers, 200), 1)
    t.equal(count(answers, 400), 7)
    const { access_token: access, refresh_token: token } = answers
      .find(({ statusCode }) => statusCode === 200)!
      .json<Tokens>()
    t.equal((await mcp(first, access)).statusCode, 401)
    t.equal((await refresh(second, flow.clientId, token)).statusCode, 400)
  }
})

t.test('processes of a client that refresh at once all go on', needsPostgres, async t => {
  const { clientId, tokens } = await connected(first, { newAgent: 'Parallel' })
  let current = tokens.refresh_token
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => refresh(replica(n), clientId, current)))
    t.equal(count(answers, 200), 6)
    const all = answers.map(answer => answer.json<Tokens>())
    t.equal(new Set(all.map(({ access_token: token }) => token)).size, 6)
    for (const { access_token: token } of all) t.equal((await mcp(second, token)).statusCode, 200)
    current = all[0]!.refresh_token
  }
})

t.test('a refresh token does not make any number of tokens, even at once', needsPostgres, async t => {
  const { clientId, tokens } = await connected(first, { newAgent: 'Flooding' })
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => refresh(replica(n), clientId, tokens.refresh_token))
  )
  t.equal(count(answers, 200), 20)
  const last = answers.find(({ statusCode }) => statusCode === 200)!.json<Tokens>()
  t.equal((await mcp(first, last.access_token)).statusCode, 401, 'more ends the connection')
})

t.test('a refresh during a revocation leaves no token', needsPostgres, async t => {
  for (let round = 0; round < 5; round++) {
    const { clientId, tokens } = await connected(first, { newAgent: `Ended ${round}` })
    const [refreshed] = await Promise.all([
      refresh(first, clientId, tokens.refresh_token),
      sendForm(second, '/v1/oauth/revoke', { token: tokens.access_token, client_id: clientId })
    ])
    t.equal((await mcp(first, tokens.access_token)).statusCode, 401)
    if (refreshed.statusCode !== 200) continue
    const renewed = refreshed.json<Tokens>()
    t.equal((await mcp(second, renewed.access_token)).statusCode, 401)
    t.equal((await refresh(second, clientId, renewed.refresh_token)).statusCode, 400)
  }
})

t.test('registrations at once on two replicas do not pass the limit', needsPostgres, async t => {
  const settings = { plugins: { oauth: { registrationsPerHour: 4 } } }
  const own = await testServer({ plugins, settings })
  const other = await testServer({ plugins, settings, on: own })
  t.teardown(async () => {
    await other.close()
    await own.close()
  })
  const payload = { redirect_uris: ['http://127.0.0.1/callback'] }
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      (n % 2 === 0 ? own : other).app.inject({ method: 'POST', url: '/v1/oauth/register', payload })
    )
  )
  t.equal(count(answers, 201), 4)
  t.equal(count(answers, 429), 8)
})
