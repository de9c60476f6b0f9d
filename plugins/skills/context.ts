import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { dependsOn, type ContextOf } from '../../core/api/plugin.ts'
import { mcp } from '../mcp/contract.ts'
import { skills } from './contract.ts'

const settings = Closed({
  public: Type.Boolean({ default: true, description: 'Whether the guides can be read without a token.' })
})

export const dependencies = dependsOn(skills, { requires: [mcp], settings })
export type Ctx = ContextOf<typeof dependencies>
