import { Type } from 'typebox'
import { address, dependsOn, type ContextOf } from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { help } from './contract.ts'

const settings = Closed({
  folder: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The folder of the built documentation. Default: where a release or a checkout has it.'
    })
  )
})

export const dependencies = dependsOn(help, { requires: [address], settings })
export type Ctx = ContextOf<typeof dependencies>
