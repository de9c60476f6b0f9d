import { dependsOn, type ContextOf } from '../../core/api/plugin.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { inbox } from './contract.ts'

export const dependencies = dependsOn(inbox, { requires: [workspace, issues] })
export type Ctx = ContextOf<typeof dependencies>
