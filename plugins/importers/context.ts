import { dependsOn, type ContextOf } from '../../core/api/plugin.ts'
import { importers } from './contract.ts'

export const dependencies = dependsOn(importers)
export type Ctx = ContextOf<typeof dependencies>
