import t from 'tap'
import { emptyDatabase } from './runner/empty-database.ts'
import { TEST_DATABASE_URL } from './runner/harness.ts'
import { trackerIn } from './runner/process.ts'
t.test(
  'a command that only reads makes no tables in a database that is not a server’s',
  { skip: !TEST_DATABASE_URL && 'needs a PostgreSQL server' },
  async t => {
    const database = await emptyDatabase(TEST_DATABASE_URL)
    t.teardown(database.remove)
    const wrong = { code: 1, out: '', err: /DATABASE_URL has no tables of tracker/ }
    for (let times = 0; times < 2; times++) t.match(await trackerIn(database.env, 'export'), wrong)
  }
)
