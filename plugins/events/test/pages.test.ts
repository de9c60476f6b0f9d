import t from 'tap'
import type { EventJson } from '../contract.ts'
import { ID, probeOf, probeServer } from '../../../test/event-probe.ts'

interface Page {
  events: EventJson[]
  cursor: string
  hasMore: boolean
}
const numbersOf = ({ events }: Page) => events.map(({ data }) => (data as { n: number }).n)

t.test('pages begin with the oldest event, and go on by cursor without a gap', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const probe = probeOf(server)
  await probe.emit([1, 2, 3, 4, 5])
  const first = await server.ok<Page>('/v1/events?types=thing.*&limit=2')
  t.strictSame([numbersOf(first), first.hasMore], [[1, 2], true])
  const second = await server.ok<Page>(`/v1/events?types=thing.*&limit=2&after=${first.cursor}`)
  t.strictSame(numbersOf(second), [3, 4])
  const third = await server.ok<Page>(`/v1/events?types=thing.*&limit=2&after=${second.cursor}`)
  t.strictSame([numbersOf(third), third.hasMore], [[5], false])

  t.strictSame(numbersOf(await server.ok<Page>(`/v1/events?after=${third.cursor}`)), [])
  await probe.emit([6])
  t.strictSame(numbersOf(await server.ok<Page>(`/v1/events?after=${third.cursor}`)), [6])
})

t.test('a type that does not exist is refused with those that do, and so is what is no cursor', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  const unknown = await server.call('/v1/events?types=thing.vanished')
  t.match(unknown.json(), { statusCode: 400, field: 'types', message: /thing\.happened/ })
  t.match((await server.call('/v1/events?after=yesterday')).json(), { statusCode: 400, field: 'after' })
})

t.test('without issues, an issue is named by its id only', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  await probeOf(server).emit([1])
  t.match((await server.call('/v1/events?issueId=ENG-1')).json(), { statusCode: 400, message: /must be a UUID/ })
  t.strictSame((await server.ok<Page>(`/v1/events?issueId=${ID}`)).events, [])
})

t.test('a cursor older than the log is answered with the oldest that there is', async t => {
  const day = 86_400_000
  let time = Date.now()
  const server = await probeServer({ now: () => new Date(time), settings: { eventsKeepDays: 2 } })
  t.teardown(() => server.close())
  const { cursor: before } = await server.ok<Page>('/v1/events')
  await probeOf(server).emit([1])
  time += 3 * day
  await probeOf(server).emit([2])
  await server.jobs.enqueue(server.database.db, 'core.removeEvents', [{}])
  await server.idle()

  const gone = await server.call(`/v1/events?after=${before}`)
  t.match(gone.json(), { statusCode: 410, code: 'CURSOR_EXPIRED' })
  const { oldest } = gone.json<{ oldest: string }>()
  t.strictSame(numbersOf(await server.ok<Page>(`/v1/events?after=${oldest}&types=thing.*`)), [2])
  t.strictSame(numbersOf(await server.ok<Page>('/v1/events?types=thing.*')), [2], 'without one, from the oldest')
})

t.test('health shows the state of each consumer, and its lag only with a token', async t => {
  const server = await probeServer()
  t.teardown(() => server.close())
  await probeOf(server).emit([1])
  await server.idle()
  const consumers = { 'probe/each': 'up', 'probe/several': 'up' }
  const { events: shown } = (await server.call('/health/ready', { token: null })).json<{ events: object }>()
  t.strictSame(shown, { state: 'up', consumers })
  const { events: all } = (await server.call('/health/ready')).json<{ events: object }>()
  t.match(all, { state: 'up', consumers, lag: { 'probe/each': { events: 0, seconds: 0 } } })
  t.match((await server.call('/metrics')).body, /tracker_event_consumer_lag_events\{consumer="probe\/each"\} 0/)
})
