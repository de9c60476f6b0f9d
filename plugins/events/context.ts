import { dependsOn, eventLog, type ContextOf, type DbOf } from '../../core/api/plugin.ts'
import { events } from './contract.ts'

export const dependencies = dependsOn(events, { requires: [eventLog] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type EventLogService = Ctx['use']['eventLog']
