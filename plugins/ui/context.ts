import { Type } from 'typebox'
import { address, dependsOn, type ContextOf } from '../../core/api/plugin.ts'
import { events } from '../events/contract.ts'
import { ui } from './contract.ts'

const settings = Type.Object({
  cacheDir: Type.String({
    default: './node_modules/.cache/tracker-ui',
    minLength: 1,
    description:
      'The folder in which the built interface is cached; if it cannot be written, it is built at each start.'
  })
})

// Pages follow the streams of `events`, over REST.
export const dependencies = dependsOn(ui, { requires: [address], optional: [events], settings })
export type Ctx = ContextOf<typeof dependencies>
