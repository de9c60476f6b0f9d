import { dependsOn, sessions, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { issues } from '../issues/contract.ts'
import { transfer } from '../transfer/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { demo } from './contract.ts'

export const dependencies = dependsOn(demo, { requires: [workspace, transfer, sessions], optional: [issues] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
