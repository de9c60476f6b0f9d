import { dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/plugin.ts'
import { issues } from '../issues/contract.ts'
import { projects } from '../projects/contract.ts'
import { search } from '../search/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { knowledge } from './contract.ts'

export const dependencies = dependsOn(knowledge, { requires: [workspace, issues, projects, search] })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
