/*
 * A server, for race.ts, that consumes its writers' events. RACE_LEASE_SECONDS: how long a dead server keeps its
 * consumers.
 */
import { sql } from 'kysely'
import { readConfiguration } from '../../core/config/config.ts'
import { contract } from '../../core/api/contract.ts'
import { changed } from '../../core/events/test/writers.ts'
import { definePlugin, dependsOn } from '../../core/api/plugin.ts'
import { eventTypes } from '../../core/api/points.ts'
import { build } from '../../core/kernel/server.ts'
import { installed } from '../../plugins/index.ts'
import { CONSUMER_BATCH } from './race.ts'

const race = definePlugin(dependsOn(contract()('race')), {
  summary: 'Notes the changes that it sees',
  register(ctx) {
    ctx.contribute(eventTypes, changed)
    ctx.consume('seen', {
      events: [changed],
      batch: CONSUMER_BATCH,
      onGap: 'skip',
      async handle(events, ctx) {
        const rows = events.map(({ subject, rev }) => ({ subject: subject.id, rev }))
        await sql`
          insert into race_seen (process, subject_id, rev)
          select ${process.pid}, subject, rev
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as seen (subject uuid, rev integer)`.execute(ctx.db)
      }
    })
  }
})

const plugins = { ...installed, race: async () => ({ default: race }) }
const server = await build({
  configuration: await readConfiguration(plugins, process.env),
  leaseSeconds: Number(process.env['RACE_LEASE_SECONDS'])
})
await server.start()
await server.app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
