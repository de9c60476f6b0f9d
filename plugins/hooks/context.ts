import { dependsOn, type ContextOf, type DbOf, type TablesOf, type TrxOf } from '../../core/plugin.ts'
import { comments } from '../comments/contract.ts'
import { issues } from '../issues/contract.ts'
import { mcp } from '../mcp/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { hooks } from './contract.ts'

export const dependencies = dependsOn(hooks, { requires: [workspace, issues], optional: [mcp, comments] })
export type Ctx = ContextOf<typeof dependencies>
export type Tables = TablesOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
