import helmet from '@fastify/helmet'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { Problem } from '../api/contract.ts'
import { CORE_ERROR_CODES } from '../api/errors.ts'
import type { ConfinedTokens } from '../api/points.ts'
import { requiredScope } from '../api/scopes.ts'
import { description, version } from '../../lib/packages/version.ts'

interface OpenapiOptions {
  publicDocs: boolean
  problems: () => ReadonlyArray<Pick<Problem, 'code'>>
  confinedTokens: () => readonly ConfinedTokens[]
}

/** A route's schema, with the required rights in its description. */
function describe(
  schema: FastifySchema,
  { method, config = {} }: RouteOptions,
  confinedTokens: readonly ConfinedTokens[]
): FastifySchema {
  if (config.public || config.signIn) {
    return { ...schema, description: paragraphs(schema?.description, 'No token is needed.') }
  }
  const scope = requiredScope(String([method].flat()[0]), config.scope).name
  const confined = confinedTokens.map(({ name }) => `With ${name}: ${config.confined?.allows ?? 'refused'}.`)
  const needs = `Needs the scope \`${scope}\`${config.admin ? ' and an administrator' : ''}.`
  return { ...schema, description: paragraphs(schema?.description, ...confined, needs), security: [{ token: [] }] }
}

const paragraphs = (...texts: Array<string | undefined>): string => texts.filter(Boolean).join('\n\n')

/** `GET /openapi.json` and the pages at `/docs`, made from the schemas that validate. */
export const openapi = fp<OpenapiOptions>(
  async (app, { problems, confinedTokens, publicDocs }) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: { title: 'tracker', version, description },
        servers: [{ url: '.' }],
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }
      },
      // The server's URL is relative, so that it works behind a proxy prefix; no path begins with it.
      stripBasePath: false,
      transformObject(document) {
        if (!('openapiObject' in document)) return document.swaggerObject
        const errorCodes = [...CORE_ERROR_CODES, ...problems().map(({ code }) => code)]
        const components = (document.openapiObject.components ??= {})
        components.schemas = {
          ...components.schemas,
          ErrorCode: { type: 'string', enum: errorCodes, description: 'The `code` of an error.' }
        }
        return document.openapiObject
      },
      transform: ({ schema, url, route }) => ({ url, schema: describe(schema, route, confinedTokens()) })
    })
    // Security headers for browsers: the core serves no other pages.
    await app.register(async pages => {
      pages.addHook('onRoute', route => {
        route.config = { ...route.config, public: publicDocs }
      })
      await pages.register(helmet, {
        // The docs have inline styles and images; nothing is loaded from elsewhere.
        contentSecurityPolicy: {
          directives: {
            defaultSrc: ["'self'"],
            imgSrc: ["'self'", 'data:'],
            styleSrc: ["'self'", "'unsafe-inline'"],
            scriptSrc: ["'self'"],
            upgradeInsecureRequests: null
          }
        },
        strictTransportSecurity: false // left to the proxy that terminates TLS
      })
      await pages.register(swaggerUi, {
        routePrefix: '/docs',
        // A typed token is not stored.
        uiConfig: { deepLinking: true, persistAuthorization: false }
      })
    })
    app.get('/openapi.json', { config: { public: publicDocs }, schema: { hide: true } }, async () => app.swagger())
  },
  { name: 'openapi' }
)
