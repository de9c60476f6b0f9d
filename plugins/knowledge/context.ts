import { Type } from 'typebox'
import {
  database,
  dependsOn,
  texts,
  type ContextOf,
  type DbOf,
  type TrxOf,
  type UnmanagedDbOf
} from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { files } from '../files/contract.ts'
import { issues } from '../issues/contract.ts'
import { projects } from '../projects/contract.ts'
import { search } from '../search/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { knowledge } from './contract.ts'

const settings = Closed({
  servingsKeepDays: Type.Integer({
    default: 365,
    minimum: 1,
    maximum: 3650,
    description: 'Days for which it is kept which entries were served to whom.'
  })
})

export const dependencies = dependsOn(knowledge, {
  requires: [workspace, issues, projects, search, database, texts],
  optional: [files],
  settings
})
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type UnmanagedDb = UnmanagedDbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
