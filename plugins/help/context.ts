import { Type } from 'typebox'
import { dependsOn, type ContextOf } from '../../core/api/plugin.ts'
import { Closed } from '../../core/api/schemas.ts'
import { help } from './contract.ts'

const settings = Closed({
  folder: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The folder with the built documentation. Default: that of the release, or of `npm run docs`.'
    })
  )
})

export const dependencies = dependsOn(help, { settings })
export type Ctx = ContextOf<typeof dependencies>
