import { Type } from 'typebox'
import { dependsOn, type ContextOf, type DbOf } from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { trash } from './contract.ts'

const settings = Closed({
  trashKeepDays: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3650,
    reloads: true,
    description: 'Days for which what was deleted can be restored.'
  })
})

export const dependencies = dependsOn(trash, { settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
