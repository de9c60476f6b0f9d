import { dependsOn, type ContextOf } from '../../core/plugin.ts'
import { transfer } from '../transfer/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { demo } from './contract.ts'

export const dependencies = dependsOn(demo, { requires: [workspace, transfer] })
export type Ctx = ContextOf<typeof dependencies>
