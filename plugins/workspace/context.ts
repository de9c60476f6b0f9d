import { Type } from 'typebox'
import { Line } from '../../core/api/schemas.ts'
import { address, dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { ui } from '../ui/contract.ts'
import { workspace } from './contract.ts'

const settings = Type.Object({
  name: Line(100, { default: 'Tracker', description: 'The name of the workspace that the first start makes.' }),
  adminEmail: Type.String({
    default: 'admin@localhost',
    minLength: 3,
    maxLength: 320,
    description: 'The e-mail address of its administrator.'
  }),
  adminToken: Type.Optional(
    Type.String({
      writeOnly: true,
      description: 'The administrator’s token, instead of one that is made and shown.'
    })
  )
})

export const dependencies = dependsOn(workspace, { requires: [address], optional: [ui], settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
