import t from 'tap'
import { pauseAfter } from '../backlog.ts'

t.test('the busier the event loop is, the longer is the pause after a part', async t => {
  t.equal(pauseAfter(20, 0.05), 0, 'a quiet server is never paused')
  t.ok(pauseAfter(20, 0.5) > pauseAfter(20, 0.2))
  t.ok(pauseAfter(20, 1) <= 160)
})

t.test('a server that was suspended within a part goes on soon', async t => {
  t.equal(pauseAfter(8 * 3600_000, 1), 2_000)
})
