import { Type } from 'typebox'
import { dependsOn, type ContextOf } from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { transfer } from '../transfer/contract.ts'
import { importers } from './contract.ts'

const settings = Closed({
  allowPrivateAddresses: Type.Boolean({
    default: false,
    description:
      'Whether attachments may be fetched from private, loopback and link-local addresses that are not those of the ' +
      'imported tracker itself; the imported data names them.'
  }),
  fileTimeoutMs: Type.Integer({
    default: 300_000,
    minimum: 100,
    description: 'Milliseconds in which an attachment must arrive.'
  })
})

export const dependencies = dependsOn(importers, { optional: [transfer], settings })
export type Ctx = ContextOf<typeof dependencies>
