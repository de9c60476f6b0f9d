import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { testServer } from './runner/harness.ts'

/** Statements of pg-boss, which sends many at once, but rarely: see `core/jobs/test/jobs.test.ts`. */
const isOfJobs = (text: string) => text.includes('pgboss') && !text.includes('dueInMs')

t.test('an idle server repeats no statement more often than every two seconds, and sends few in all', async t => {
  let sent: string[] = []
  const server = await testServer({ onStatement: text => sent.push(text) })
  t.teardown(() => server.close())
  await server.idle()
  // The consumers' positions are stored a second after the start.
  await sleep(1_500)

  sent = []
  const begin = performance.now()
  await sleep(4_000)
  const seconds = (performance.now() - begin) / 1_000
  const regular = sent.filter(text => !isOfJobs(text))
  const counts = Map.groupBy(regular, text => text)
  const tooOften = [...counts].filter(([, { length }]) => length > seconds / 2 + 1).map(([text]) => text)
  t.strictSame(tooOften, [])
  t.ok(regular.length <= 2 * seconds, `${regular.length} statements`)
})
