import { Type } from 'typebox'
import { Closed } from '../../core/api/schemas.ts'
import { access, address, dependsOn, type ContextOf } from '../../core/api/plugin.ts'
import { mcp } from './contract.ts'

const settings = Closed({
  rateLimit: Type.Integer({
    default: 120,
    minimum: 0,
    reloads: true,
    description: 'Requests per token and window, each message of a batch counted; `0` for no limit.'
  }),
  rateLimitWindowMs: Type.Integer({
    default: 60_000,
    minimum: 1,
    reloads: true,
    description: 'The window, in milliseconds.'
  }),
  redisUrl: Type.Optional(
    Type.String({
      pattern: '^rediss?://',
      writeOnly: true,
      description: 'A Redis in which several replicas count together; without it each counts for itself.'
    })
  ),
  fastPath: Type.Boolean({
    default: true,
    description:
      'Whether plain tool calls take a shorter way through the server. If off, the answers are the same, and take ' +
      'twice the processor time.'
  }),
  allowedOrigins: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description:
      'Host names of the web pages that may call the endpoint, beside those of this machine and of `publicUrl`.'
  }),
  allowedHosts: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description:
      'Host names by which clients reach the endpoint, e.g. that of a proxy, beside those that the server listens on ' +
      'and that of `publicUrl`.'
  })
})

export const dependencies = dependsOn(mcp, { requires: [address, access], settings })
export type Ctx = ContextOf<typeof dependencies>
