import { dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { comments } from '../comments/contract.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { reactions } from './contract.ts'

export const dependencies = dependsOn(reactions, { requires: [workspace, issues, comments] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
