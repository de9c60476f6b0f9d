import { database, dependsOn, eventLog, texts, type ContextOf, type TrxOf } from '../../core/api/plugin.ts'
import { workspace } from '../workspace/contract.ts'
import { issues } from './contract.ts'

export const dependencies = dependsOn(issues, { requires: [workspace, database, texts, eventLog] })
export type Ctx = ContextOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
