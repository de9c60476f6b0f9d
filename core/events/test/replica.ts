import { sql } from 'kysely'
import { pino } from 'pino'
import { makeDatabase } from '../../db/database.ts'
import { makeEventLog } from '../log.ts'

/*
 * A process that consumes what the writers of `writers.ts` emit, until it is killed: `node replica.ts URL NAME`.
 */

const [url, name] = process.argv.slice(2)
const database = makeDatabase({ url, poolSize: 4 })
const log = makeEventLog({
  database,
  log: pino({ level: 'silent' }),
  working: true,
  directUrl: url,
  leaseSeconds: 2,
  now: () => new Date()
})
log.addConsumer({
  name: 'race/seen',
  types: ['thing.changed'],
  batch: 50,
  rebuild: undefined,
  async handle(events) {
    const rows = events.map(({ position, subject, rev }) => ({ position, subject: subject.id, rev }))
    const insert = sql`
      insert into race_seen (process, position, subject_id, rev)
      select ${name}, position, subject, rev
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as seen (position bigint, subject uuid, rev integer)`
    await insert.execute(database.db)
  }
})
await log.prepare()
log.start()
process.send?.('started')
