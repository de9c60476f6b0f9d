import { Gauge } from 'prom-client'
import { singleton } from '../../core/api/plugin.ts'
import type { Ctx } from './context.ts'

export const openStreams = singleton(
  'openStreams',
  (_ctx: Ctx) =>
    new Gauge({
      name: 'tracker_event_streams',
      help: 'Event streams that clients have open to this process',
      registers: []
    })
)
