import { database, dependsOn, eventLog, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { insights } from './contract.ts'

export const dependencies = dependsOn(insights, { requires: [workspace, issues, database, eventLog] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
