import { Type } from 'typebox'
import { dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { webhooks } from './contract.ts'

const settings = Type.Object({
  allowPrivateAddresses: Type.Boolean({
    default: false,
    description:
      'Whether webhooks may reach private, loopback and link-local addresses; administrators then reach them, too.'
  }),
  attemptTimeoutMs: Type.Integer({
    default: 10_000,
    minimum: 100,
    maximum: 60_000,
    description: 'Milliseconds within which a receiver must answer; after them the attempt has failed.'
  }),
  deliveriesKeepDays: Type.Integer({
    default: 7,
    minimum: 2,
    maximum: 3650,
    description: 'Days for which deliveries are kept; they are tried for one.'
  })
})

export const dependencies = dependsOn(webhooks, { settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
