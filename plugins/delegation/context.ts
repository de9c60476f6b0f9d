import { access, address, dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { agents } from '../agents/contract.ts'
import { claims } from '../claims/contract.ts'
import { comments } from '../comments/contract.ts'
import { issues } from '../issues/contract.ts'
import { knowledge } from '../knowledge/contract.ts'
import { usage } from '../usage/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { settings } from './schemas.ts'
import { delegation } from './contract.ts'

export const dependencies = dependsOn(delegation, {
  requires: [workspace, agents, issues, address, access],
  optional: [claims, knowledge, comments, usage],
  settings
})
export type Dependencies = typeof dependencies
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
