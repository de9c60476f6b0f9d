import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Gauge, type Metric } from 'prom-client'
import type { Database } from '../../db/database.ts'
import type { EventLog } from '../../events/log.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { version } from '../../../lib/packages/version.ts'
import { gauge } from './gauge.ts'

/** Milliseconds after which the database counts as down. */
const DATABASE_TIMEOUT_MS = 2_000

export function eventMetrics(events: EventLog): Gauge[] {
  const lag = (unit: 'events' | 'seconds', help: string) =>
    new Gauge({
      name: `tracker_event_consumer_lag_${unit}`,
      help,
      labelNames: ['consumer'],
      registers: [],
      async collect() {
        for (const { name: consumer, [unit]: value } of await events.lags()) this.set({ consumer }, value)
      }
    })
  return [
    lag('events', 'Positions of the event log that a consumer has not passed yet'),
    lag('seconds', 'Seconds since the oldest event happened that a consumer has not passed yet'),
    gauge('tracker_event_dead_letters', 'Events that consumers failed to handle, to be retried or discarded', () =>
      events.countDeadLetters()
    )
  ]
}

export const serverMetrics = (database: Database, jobs: Jobs): Metric[] => [
  new Gauge({
    name: 'tracker_build_info',
    help: 'The version that runs, as a label; the value is 1',
    labelNames: ['version'],
    registers: [],
    collect() {
      this.set({ version }, 1)
    }
  }),
  // First of all that ask the database: the others wait for connections themselves.
  gauge(
    'tracker_database_connections_used',
    'Connections to the database that are in use',
    () => database.connections().used
  ),
  gauge(
    'tracker_database_connections_max',
    'Most connections to the database that this process opens',
    () => database.connections().most
  ),
  gauge(
    'tracker_database_connections_waiting',
    'Requests and jobs that wait for a connection to the database',
    () => database.connections().waiting
  ),
  gauge(
    'tracker_database_up',
    `1 if the database answers within ${DATABASE_TIMEOUT_MS / 1000} seconds, 0 otherwise`,
    async () => ((await doesAnswer(database)) ? 1 : 0)
  ),
  gauge('tracker_database_short_reads', 'Short reads that were sent to the database and not answered yet', () =>
    database.shortReadsInFlight()
  ),
  gauge('tracker_jobs_pending', 'Jobs that wait or run', () => jobs.pending()),
  jobs.failed
]

async function doesAnswer({ db }: Database): Promise<boolean> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      // Raw: it has no table.
      sql`select`.execute(db).then(() => true),
      sleep(DATABASE_TIMEOUT_MS, false, { signal: timer.signal })
    ])
  } catch {
    return false
  } finally {
    timer.abort()
  }
}
