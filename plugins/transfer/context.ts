import { dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { importers } from '../importers/contract.ts'
import { transfer } from './contract.ts'

export const dependencies = dependsOn(transfer, { optional: [importers] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
