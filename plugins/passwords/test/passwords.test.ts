import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { testServer, type TestOptions } from '../../../test/runner/harness.ts'
import { runInProcess } from '../../../test/runner/run-in-process.ts'
import { browser, firstSignIn, PASSWORD } from './browser.ts'

const EMAIL = 'admin@localhost'
async function start(t: Test, options: TestOptions = {}) {
  const server = await testServer({ plugins: ['workspace', 'agents', 'passwords'], ...options })
  t.teardown(() => server.close())
  return server
}
function clock() {
  let time = Date.now()
  return { now: () => new Date(time), pass: (seconds: number) => (time += seconds * 1000) }
}

t.test('the token that the first start prints sets a password once, and signs in', async t => {
  const server = await start(t)
  const own = await firstSignIn(server)
  t.match((await own.call('/v1/session')).json(), { account: { role: 'ADMIN' }, workspace: { name: 'Tracker' } })
  t.equal((await own.call('/v1/users/me')).statusCode, 200)

  const again = await browser(server).call('/v1/passwords/first', {
    body: { token: server.token, password: 'another password' }
  })
  t.match(again, { statusCode: 409, headers: { 'set-cookie': undefined } })
  const signedIn = await browser(server).call('/v1/passwords/sign_in', { body: { email: EMAIL, password: PASSWORD } })
  t.equal(signedIn.statusCode, 200)
})

t.test('one token takes few of the passwords that are hashed at once', async t => {
  const server = await start(t)
  const first = () =>
    browser(server).call('/v1/passwords/first', { body: { token: server.token, password: 'a password' } })
  const answers = await Promise.all(Array.from({ length: 12 }, first))
  const statuses = answers.map(({ statusCode }) => statusCode)
  t.equal(statuses.filter(status => status === 200).length, 1)
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  // One that arrives after another has ended is not among those that wait.
  t.ok(refused.length > 0 && refused.length <= 7, `${refused.length} refused`)
  t.equal(statuses.filter(status => status === 409).length, 11 - refused.length)
  t.match(refused[0]!.json(), { code: 'RATE_LIMITED', message: /This token already has 5 passwords that wait/ })
})

t.test('an added person signs in with their token, and an agent’s token is refused', async t => {
  const server = await start(t)
  const { token } = await server.ok<{ token: string }>('/v1/users', {
    body: { email: 'ada@example.org', fullname: 'Ada' }
  })
  const ada = browser(server)
  t.equal((await ada.call('/v1/passwords/first', { body: { token, password: PASSWORD } })).statusCode, 200)
  t.match((await ada.call('/v1/session')).json(), { account: { fullname: 'Ada', role: 'MEMBER' } })

  const agent = await server.agent('Robot')
  const refused = await browser(server).call('/v1/passwords/first', {
    body: { token: agent.token, password: PASSWORD }
  })
  t.match(refused, { statusCode: 403, headers: { 'set-cookie': undefined } })
})

t.test('a wrong password and an unknown address are answered alike', async t => {
  const server = await start(t)
  await firstSignIn(server)
  const attempts = [
    { email: EMAIL, password: 'not the password' },
    { email: 'nobody@example.org', password: PASSWORD }
  ]
  const answers = await Promise.all(attempts.map(body => browser(server).call('/v1/passwords/sign_in', { body })))
  t.strictSame(
    answers.map(({ statusCode, body }) => [statusCode, body]),
    Array.from({ length: 2 }, () => [401, answers[0]!.body])
  )
  t.match(answers[0]!.json(), { code: 'WRONG_PASSWORD' })
})

t.test('wrong passwords delay the account more and more, and never lock it', async t => {
  const { now, pass } = clock()
  const server = await start(t, { now })
  await firstSignIn(server)
  const attempt = (password: string) =>
    browser(server).call('/v1/passwords/sign_in', { body: { email: EMAIL, password } })
  for (let i = 0; i < 5; i++) t.equal((await attempt('wrong one')).statusCode, 401)
  t.match(await attempt(PASSWORD), { statusCode: 429, headers: { 'retry-after': '1' } })
  pass(1)
  t.equal((await attempt('wrong one')).statusCode, 401)
  t.match(await attempt(PASSWORD), { statusCode: 429, headers: { 'retry-after': '4' } }, 'the refused one counted')
  for (let i = 0; i < 10; i++) {
    pass(60)
    t.equal((await attempt('wrong one')).statusCode, 401)
  }
  t.match(await attempt(PASSWORD), { statusCode: 429, headers: { 'retry-after': '60' } }, 'a minute at most')
  pass(60)
  t.equal((await attempt(PASSWORD)).statusCode, 200)
  t.equal((await attempt(PASSWORD)).statusCode, 200, 'a success ends the delay')
})

t.test('guesses that are sent at once are counted one by one', async t => {
  const server = await start(t)
  await firstSignIn(server)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      browser(server).call('/v1/passwords/sign_in', { body: { email: EMAIL, password: 'wrong one' } })
    )
  )
  t.equal(answers.filter(({ statusCode }) => statusCode === 401).length, 5)
  t.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 7)
})

t.test('one network that tries many accounts is delayed, others are not', async t => {
  const { now } = clock()
  const server = await start(t, { now, settings: { trustProxy: '127.0.0.1' } })
  await firstSignIn(server)
  const attempt = (from: string, email: string, password: string) =>
    browser(server).call('/v1/passwords/sign_in', {
      body: { email, password },
      headers: { 'x-forwarded-for': from }
    })
  for (let i = 0; i < 20; i++) t.equal((await attempt(`192.0.2.${i}`, `p${i}@example.org`, 'guess')).statusCode, 401)
  t.equal((await attempt('192.0.2.1', EMAIL, PASSWORD)).statusCode, 429)
  t.equal((await attempt('192.0.3.1', EMAIL, PASSWORD)).statusCode, 200)
})

t.test('a changed password ends all other sessions', async t => {
  const server = await start(t)
  const own = await firstSignIn(server)
  const other = browser(server)
  await other.call('/v1/passwords/sign_in', { body: { email: EMAIL, password: PASSWORD } })
  const change = (currentPassword: string) =>
    own.call('/v1/passwords', { body: { currentPassword, password: 'a newer password' } })
  t.equal((await change('not the password')).statusCode, 403)
  t.equal((await change(PASSWORD)).statusCode, 200)
  t.equal((await own.call('/v1/users/me')).statusCode, 200)
  t.equal((await other.call('/v1/users/me')).statusCode, 401)
  const former = await other.call('/v1/passwords/sign_in', { body: { email: EMAIL, password: PASSWORD } })
  t.equal(former.statusCode, 401)
})

t.test('a password is stored as an argon2id hash with a salt of its own', async t => {
  const server = await start(t)
  await firstSignIn(server)
  const { rows } = await sql<{ hash: string }>`select hash from password`.execute(server.database.db)
  t.match(rows[0]?.hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
})

t.test('the command "password" gives a person another one', async t => {
  const server = await start(t)
  const run = (email: string) => runInProcess(server, ['password', '--email', email])
  const { code, out, err } = await run(EMAIL)
  t.equal(code, 0)
  t.match(out, /^[\w-]{20}\n$/)
  t.match(err, /A password for Administrator in the workspace Tracker/)
  const signIn = await browser(server).call('/v1/passwords/sign_in', { body: { email: EMAIL, password: out.trim() } })
  t.equal(signIn.statusCode, 200)
  t.match(await run('nobody@example.org'), {
    code: 1,
    out: '',
    err: /Nobody here has the e-mail address nobody@example\.org/
  })
})
