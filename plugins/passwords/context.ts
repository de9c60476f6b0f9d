import { access, database, dependsOn, sessions, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { passwords } from './contract.ts'

export const dependencies = dependsOn(passwords, { requires: [sessions, access, database] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
