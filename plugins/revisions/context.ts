import { dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { comments } from '../comments/contract.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { revisions } from './contract.ts'

export const dependencies = dependsOn(revisions, { requires: [workspace, issues], optional: [comments] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
