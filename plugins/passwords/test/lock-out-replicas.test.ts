import t from 'tap'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { browser, PASSWORD } from './browser.ts'
import { count, elsewhere, guess, guessAtOnce, HOME, signIn, start } from './guesses.ts'

t.test('replicas count together, whatever comes at once', { skip: !onPostgres && 'needs PostgreSQL' }, async t => {
  const { server, own, options } = await start(t)
  const replica = await testServer({ ...options, on: server })
  t.teardown(() => replica.close())
  const [here, there] = await Promise.all([guessAtOnce(server, 60), guessAtOnce(replica, 60)])
  t.ok(count([...here, ...there], 401) <= 50, 'no more than the account takes at once')
  t.equal(count([...here, ...there], 500), 0)
  t.equal((await signIn(browser(replica, '', own.device), elsewhere(1), PASSWORD)).statusCode, 200)
  const atHome = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(n % 2 === 0 ? server : replica, HOME)))
  t.equal(
    count(
      atHome.map(({ statusCode }) => statusCode),
      401
    ),
    5
  )
})
