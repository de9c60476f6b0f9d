import { Type } from 'typebox'
import {
  address,
  database,
  dependsOn,
  sessions,
  type ContextOf,
  type DbOf,
  type TablesOf,
  type TrxOf,
  type UnmanagedDbOf
} from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { comments } from '../comments/contract.ts'
import { issues } from '../issues/contract.ts'
import { mcp } from '../mcp/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { hooks } from './contract.ts'

const settings = Closed({
  sessionsKeepDays: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3650,
    description:
      'Days without an event after which a session of an agent is removed, with its reminders; if it continues, it ' +
      'counts as a new session.'
  })
})

export const dependencies = dependsOn(hooks, {
  requires: [workspace, issues, address, sessions, database],
  optional: [mcp, comments],
  settings
})
export type Ctx = ContextOf<typeof dependencies>
export type Tables = TablesOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type UnmanagedDb = UnmanagedDbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
