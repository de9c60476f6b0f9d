import { dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { settings } from './settings.ts'
import { embeddings } from './contract.ts'

export const dependencies = dependsOn(embeddings, { settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
