import { Type, type Static } from 'typebox'
import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { Closed } from '../../core/schemas.ts'
import { mcp } from '../mcp/contract.ts'
import { skills } from './contract.ts'
import { guideRoutes } from './routes.ts'

const config = Closed({
  public: Type.Boolean({ default: true, description: 'Whether the guides can be read without a token.' })
})

export type Ctx = ContextOf<typeof skills, [typeof mcp], [], Static<typeof config>>

export default definePlugin({
  contract: skills,
  summary: 'Guides that teach agents the tools of this server, as Agent Skills and as instruction files',
  requires: [mcp],
  config,
  register: () => ({}),
  routes: guideRoutes
})
