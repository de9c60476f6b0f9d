import t from 'tap'
import { emptyDatabase } from './runner/empty-database.ts'
import { problemsOf, race } from './event-race/race.ts'
import { onPostgres, TEST_DATABASE_URL } from './runner/harness.ts'

t.setTimeout(300_000)
/** `npm run bench:events` is the long run. */
const KILLS = 2

t.test('readers cover every event, in order, though servers and clients are killed', { skip: !onPostgres }, async t => {
  const database = await emptyDatabase(TEST_DATABASE_URL)
  t.teardown(database.remove)
  if (!('DATABASE_URL' in database.env)) return t.fail('there is no URL')
  const result = await race({
    databaseUrl: database.env.DATABASE_URL,
    writers: 20,
    each: 40,
    subjects: 30,
    kills: KILLS,
    killIntervalMs: 1_000,
    leaseSeconds: 2
  })
  t.ok(result.committed.size > 700)
  t.strictSame(problemsOf(result, KILLS), [])
})
