import { pino } from 'pino'
import t from 'tap'
import { configure } from '../core/config/config.ts'
import { build } from '../core/kernel/server.ts'
import { newToken } from '../core/auth/tokens.ts'
import { installed } from '../plugins/index.ts'
import { emptyDatabase } from './runner/empty-database.ts'
import { TEST_DATABASE_URL } from './runner/harness.ts'

/** Rounds, because replicas without mutual exclusion may be lucky once. */
const ROUNDS = 3
const REPLICAS = 4

t.test(
  'replicas that start together on an empty database all become ready',
  { skip: !TEST_DATABASE_URL && 'needs a PostgreSQL server' },
  async t => {
    for (let round = 1; round <= ROUNDS; round++) {
      const database = await emptyDatabase(TEST_DATABASE_URL)
      t.teardown(database.remove)
      const configuration = await configure(
        installed,
        {
          databasePool: 5,
          plugins: {
            ...Object.fromEntries(Object.keys(installed).map(name => [name, { enabled: true }])),
            embeddings: { enabled: true, download: false },
            workspace: { enabled: true, adminToken: newToken() }
          }
        },
        database.env
      )
      const replicas = await Promise.all(
        Array.from({ length: REPLICAS }, () => build({ configuration, logger: pino({ level: 'silent' }) }))
      )
      const started = await Promise.allSettled(replicas.map(replica => replica.start()))
      t.strictSame(
        started.flatMap(result => (result.status === 'rejected' ? [String(result.reason)] : [])),
        []
      )
      for (const replica of replicas) {
        t.equal((await replica.app.inject('/health/ready')).statusCode, 200)
        await replica.close()
      }
    }
  }
)
