import t from 'tap'
import { browser, PASSWORD } from './browser.ts'
import { count, elsewhere, EMAIL, guess, signIn, start } from './guesses.ts'

t.test('from everywhere else together an account takes at most 100 tries an hour', async t => {
  const { server, pass } = await start(t)
  const perMinute: number[] = []
  for (let minute = 0; minute < 70; minute++) {
    let tried = 0
    for (let i = 0; i < 3; i++) {
      if ((await guess(server, elsewhere(minute * 3 + i))).statusCode === 401) tried++
    }
    perMinute.push(tried)
    pass(60)
  }
  const hours = perMinute.slice(0, -59).map((_, at) => perMinute.slice(at, at + 60).reduce((sum, n) => sum + n, 0))
  t.ok(Math.max(...hours) <= 100, `${Math.max(...hours)} in an hour`)
  t.ok(hours.at(-1)! > 40, 'and some go on')
  for (let n = 0; n < 2; n++) await guess(server, elsewhere(4000 + n))
  const refused = await signIn(browser(server), elsewhere(5000), PASSWORD)
  t.match(refused.json(), {
    code: 'TOO_MANY_ATTEMPTS',
    message: /a browser that you signed in with.*30 days.*another way/
  })
})

t.test('an unknown address is refused like a known one', async t => {
  const { server } = await start(t)
  const outcomes = async (email: string) => {
    const codes: number[] = []
    for (let n = 0; n < 53; n++) codes.push((await guess(server, elsewhere(n), email)).statusCode)
    return codes
  }
  const known = await outcomes(EMAIL)
  t.equal(count(known, 401), 50)
  t.strictSame(await outcomes('nobody@example.org'), known)
})
