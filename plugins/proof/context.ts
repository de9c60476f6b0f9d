import { dependsOn, texts, type ContextOf, type TrxOf } from '../../core/api/plugin.ts'
import { files } from '../files/contract.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { proof } from './contract.ts'

export const dependencies = dependsOn(proof, { requires: [workspace, issues, texts], optional: [files] })
export type Ctx = ContextOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
