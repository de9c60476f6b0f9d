import { access, dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { agents } from './contract.ts'

export const dependencies = dependsOn(agents, { requires: [access] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
