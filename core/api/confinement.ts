import type { FastifyRequest } from 'fastify'
import type { Contribution } from './contract.ts'
import type { Confinement } from './database/types.ts'
import { ApiError } from './errors.ts'
import type { App } from './plugin.ts'
import type { ConfinedTokens } from './points.ts'

/** How a confined token may use a route. A route without a rule refuses such tokens. */
export interface ConfinementRule {
  /** A sentence for the OpenAPI document: the use that is allowed, and why. */
  allows: string
  /** Runs after validation, for confined tokens only. @throws 403 or 404 when the request leaves the confinement */
  check?(request: FastifyRequest): Promise<void>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set here, or with a check by `confinementRules`. */
    confined?: Pick<ConfinementRule, 'allows'>
  }
}

export const confined = (message: string): ApiError => new ApiError(403, 'TOKEN_CONFINED', message)

/** @throws 403 with the message of the plugin that made the token, when the route has no rule */
export function assertHasRule(
  { routeOptions: { config, method, url } }: FastifyRequest,
  { plugin }: Confinement,
  tokens: ReadonlyArray<Contribution<ConfinedTokens>>
): void {
  if (config.confined) return
  const route = `${[method].flat().join()} ${url}`
  const maker = tokens.find(({ from }) => from === plugin)?.item
  throw confined(
    maker?.refusal(route) ?? `This token is confined, and ${route} is closed to it: use a token that is not confined.`
  )
}

/** By `METHOD /path`; call it before the routes are added. A rule without a route stops the start. */
export function confinementRules(app: App, rules: Readonly<Record<string, ConfinementRule>>): void {
  const missing = new Set(Object.keys(rules))
  app.addHook('onRoute', route => {
    for (const method of [route.method].flat()) {
      const name = `${method} ${route.url}`
      const rule = rules[name]
      if (!rule) continue
      const { allows, check } = rule
      route.config = { ...route.config, confined: { allows } }
      // After the replay for an Idempotency-Key: the check looks for rows that the first request may have removed.
      if (check) route.preHandler = [route.preHandler ?? [], ofConfined(check)].flat()
      missing.delete(name)
    }
  })
  app.addHook('onReady', async () => {
    if (missing.size > 0) throw new Error(`There are no routes for these rules: ${[...missing].join(', ')}`)
  })
}

const ofConfined = (check: NonNullable<ConfinementRule['check']>) => async (request: FastifyRequest) => {
  if (request.principal.confinedTo) await check(request)
}

/** A text field of a request's body; undefined when it is absent or null. */
export function fieldOf(part: unknown, name: string): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined
  const value: unknown = Object.entries(part).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : undefined
}
