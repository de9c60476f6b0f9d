import t from 'tap'
import { onPostgres } from './runner/harness.ts'
import { assertNoDeadlocks } from './lock-pairs.ts'

const skip = onPostgres ? false : 'the embedded database has one connection: nothing waits for a lock'
t.test('no two routes that write to one issue deadlock', { skip, timeout: 1_500_000 }, t => assertNoDeadlocks(t, 1))
