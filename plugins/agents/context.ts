import { access, dependsOn, type ContextOf } from '../../core/api/plugin.ts'
import { agents } from './contract.ts'

export const dependencies = dependsOn(agents, { requires: [access] })
export type Ctx = ContextOf<typeof dependencies>
