import { Type } from 'typebox'
import { database, dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { issues } from '../issues/contract.ts'
import { workspace } from '../workspace/contract.ts'
import { claims } from './contract.ts'

const settings = Closed({
  claimMinutes: Type.Integer({
    default: 120,
    minimum: 1,
    maximum: 10_080,
    description: 'Minutes without a request of an agent after which its claims on issues lapse.'
  })
})

export const dependencies = dependsOn(claims, { requires: [workspace, issues, database], settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
