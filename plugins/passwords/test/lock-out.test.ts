import { sql } from 'kysely'
import t from 'tap'
import { browser, PASSWORD } from './browser.ts'
import { count, elsewhere, guess, guessAtOnce, HOME, signIn, start } from './guesses.ts'

t.test('whatever others try, the owner signs in at once, in their browser or from their network', async t => {
  const { server, own, pass } = await start(t)
  let tried = 0
  for (let minute = 0; minute < 5; minute++) {
    tried += count(await guessAtOnce(server, 60), 401)
    const travelling = browser(server, '', own.device)
    t.equal(
      (await signIn(travelling, elsewhere(5), PASSWORD)).statusCode,
      200,
      'the browser, from an attacker’s network'
    )
    t.equal((await signIn(browser(server), '198.51.100.200', PASSWORD)).statusCode, 200, 'another browser at home')
    pass(60)
  }
  t.ok(tried <= 100, `${tried} tries`)
})

t.test('who mistypes waits one delay of their own, however often they try during it', async t => {
  const { server, own, pass } = await start(t)
  for (let n = 0; n < 12; n++) {
    await signIn(own, HOME, 'mistyped')
    pass(60)
  }
  t.equal((await signIn(own, HOME, 'mistyped')).statusCode, 401)
  for (let second = 0; second < 60; second++) {
    t.match(await signIn(own, HOME, PASSWORD), { statusCode: 429, headers: { 'retry-after': String(60 - second) } })
    pass(1)
  }
  t.equal((await signIn(own, HOME, PASSWORD)).statusCode, 200)

  for (let n = 0; n < 5; n++) await guess(server, HOME)
  for (let n = 0; n < 10; n++) t.equal((await guess(server, HOME)).statusCode, 429)
  pass(1)
  t.equal((await guess(server, HOME)).statusCode, 401)
  t.match(await guess(server, HOME), { statusCode: 429, headers: { 'retry-after': '60' } }, 'refused guesses counted')
})

t.test(
  'in a network of the account another address holds up neither the owner’s address nor their browser',
  async t => {
    const { server, own } = await start(t)
    for (let n = 0; n < 12; n++) await guess(server, '198.51.100.66')
    t.equal((await signIn(browser(server), '198.51.100.66', PASSWORD)).statusCode, 429)
    t.equal((await signIn(browser(server), HOME, PASSWORD)).statusCode, 200)
    for (let n = 0; n < 12; n++) await guess(server, HOME)
    t.equal((await signIn(browser(server), HOME, PASSWORD)).statusCode, 429, 'behind the same address')
    t.equal((await signIn(browser(server, '', own.device), HOME, PASSWORD)).statusCode, 200)
  }
)

t.test('a network is known for 30 days, a browser for longer; IPv6 by its /56', async t => {
  const { server, own, pass } = await start(t)
  const exhaust = () => guessAtOnce(server, 60)
  await signIn(own, '2001:db8:0:1100::1', PASSWORD)
  await exhaust()
  t.equal((await signIn(browser(server), '2001:db8:0:11ff::2', PASSWORD)).statusCode, 200)
  t.equal((await signIn(browser(server), '2001:db8:0:1200::1', PASSWORD)).statusCode, 429)
  t.equal((await signIn(browser(server), `::ffff:${HOME}`, PASSWORD)).statusCode, 200)
  pass(31 * 86_400)
  await exhaust()
  t.equal((await signIn(browser(server), HOME, PASSWORD)).statusCode, 429)
  t.equal((await signIn(browser(server, '', own.device), HOME, PASSWORD)).statusCode, 200)
})

t.test('the cookie of a browser is of the accounts that signed in with it, and of no others', async t => {
  const { server, own } = await start(t)
  const { token } = await server.ok<{ token: string }>('/v1/users', {
    body: { email: 'eve@example.org', fullname: 'Eve' }
  })
  const eve = browser(server)
  const headers = { 'x-forwarded-for': elsewhere(1) }
  await eve.call('/v1/passwords/first', { headers, body: { token, password: PASSWORD } })
  await guessAtOnce(server, 60)
  const stranger = browser(server, '', eve.device)
  t.equal((await signIn(stranger, elsewhere(9), PASSWORD)).statusCode, 429, 'the browser of another account')
  t.equal((await signIn(browser(server, '', `${own.device}x`), elsewhere(9), PASSWORD)).statusCode, 429, 'made up')

  const planted = browser(server, '', eve.device)
  t.equal((await signIn(planted, HOME, PASSWORD)).statusCode, 200)
  t.equal((await signIn(browser(server, '', eve.device), elsewhere(9), PASSWORD)).statusCode, 429, 'a planted cookie')
  t.equal((await signIn(browser(server, '', planted.device), elsewhere(9), PASSWORD)).statusCode, 200)
  const asEve = await signIn(browser(server, '', planted.device), elsewhere(9), PASSWORD, 'eve@example.org')
  t.equal(asEve.statusCode, 200, 'one browser keeps the ways of several accounts')
  const { rows } = await sql<{ place: Uint8Array }>`select place from sign_in_place`.execute(server.database.db)
  t.notOk(rows.some(({ place }) => Buffer.from(place).toString().includes(own.device.split('=')[1]!)))
})

t.test('another workspace in which somebody has the same address gives no way to this account', async t => {
  const { server } = await start(t)
  const email = 'ada@example.org'
  const join = async (admin: string, from: string, password: string) => {
    const { token } = await server.ok<{ token: string }>('/v1/users', {
      token: admin,
      body: { email, fullname: 'Ada' }
    })
    const own = browser(server)
    await own.call('/v1/passwords/first', { headers: { 'x-forwarded-for': from }, body: { token, password } })
    return own
  }
  await join(server.token, HOME, PASSWORD)
  const other = await join((await server.otherWorkspace()).token, elsewhere(1), 'another password')
  await Promise.all(Array.from({ length: 60 }, (_, n) => guess(server, elsewhere(n), email)))
  const attempt = (password: string) => signIn(browser(server, '', other.device), elsewhere(1), password, email)
  t.equal((await attempt(PASSWORD)).statusCode, 429)
  t.equal((await attempt('another password')).statusCode, 200)
})

t.test('while guesses wait to be hashed, the owner is served first', async t => {
  const { server, own } = await start(t)
  const guesses = Promise.all(
    Array.from({ length: 150 }, (_, n) => guess(server, elsewhere(n), `someone-${n}@example.org`))
  )
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => signIn(browser(server, '', own.device), elsewhere(1), PASSWORD))
  )
  t.strictSame(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 200]
  )
  t.ok(
    (await guesses).some(({ statusCode }) => statusCode === 503),
    'others are refused when too many wait'
  )
})

t.test('counts and places that no longer matter are removed', async t => {
  const { server, pass } = await start(t)
  await guess(server, elsewhere(1))
  pass(401 * 86_400)
  for (const queue of ['passwords.forgetFailures', 'core.removeOldSignInPlaces']) {
    await server.jobs.enqueue(server.database.db, queue, [{}])
  }
  await server.idle()
  const { rows } = await sql`select place from sign_in_place union all select subject from sign_in_failure`.execute(
    server.database.db
  )
  t.strictSame(rows, [])
})
