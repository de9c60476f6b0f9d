import { daysBefore } from '../../lib/util/days.ts'
import { accountDeleted } from '../../core/api/accounts.ts'
import { definePlugin, type App } from '../../core/api/plugin.ts'
import { eventTypes, loginMethods, problems, tokenAudiences } from '../../core/api/points.ts'
import { uiParts } from '../ui/contract.ts'
import { registrationRoute } from './clients/registration.ts'
import { consentRoutes } from './consent/routes.ts'
import { dependencies } from './context.ts'
import { connectorsChanged, grantCreated, grantRevoked, removeExpired, tooManyClients } from './contract.ts'
import { connectorRoutes, grantRoutes } from './grants/grant-routes.ts'
import { endGrantsOfRemoved } from './grants/grants.ts'
import { tokenRoutes } from './grants/token-routes.ts'
import { AUDIENCE } from './protocol/addresses.ts'
import { allowAllSites } from './protocol/cross-origin.ts'
import { answerInOauth } from './protocol/errors.ts'
import { challengeOf, metadataRoutes } from './protocol/metadata.ts'
import { removeOld, removeOldClients } from './queries/grants.ts'

export default definePlugin(dependencies, {
  summary: 'Agents’ clients connect to the MCP server with its address alone, by OAuth',
  tables: {
    oauthClient: 'local',
    oauthGrant: 'workspace',
    oauthCode: 'workspace',
    oauthRefreshToken: 'workspace',
    oauthConnector: 'workspace'
  },
  // Clients and browsers are sent to addresses of this server: these must not come from a request.
  needsPublicUrl: true,
  migrations: {
    '001_clients_and_grants': () => import('./migrations/001_clients_and_grants.ts'),
    '002_codes_and_refresh_tokens': () => import('./migrations/002_codes_and_refresh_tokens.ts')
  },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    ctx.contribute(tokenAudiences, AUDIENCE)
    ctx.contribute(problems, tooManyClients)
    ctx.contributeWith(loginMethods, ctx => [{ bearerParameters: request => challengeOf(ctx, request) }])
    for (const type of [grantCreated, grantRevoked, connectorsChanged]) ctx.contribute(eventTypes, type)
    ctx.consume('oauth', { events: [accountDeleted], onGap: 'skip', handle: endGrantsOfRemoved })
    ctx.work(removeExpired, {}, async (_payloads, { db, now }) => {
      // A code or token that is used again after its expiry still ends its grant, for a day.
      await removeOld(db, daysBefore(now(), 1))
      await removeOldClients(db, now())
    })
    ctx.schedule(removeExpired, '23 * * * *')
  },
  async routes(app, ctx) {
    consentRoutes(app, ctx)
    grantRoutes(app, ctx)
    connectorRoutes(app, ctx)
    await app.register(async scope => {
      const protocol = scope as unknown as App
      answerInOauth(protocol)
      allowAllSites(protocol)
      metadataRoutes(protocol, ctx)
      registrationRoute(protocol, ctx)
      await protocol.register(async forms => tokenRoutes(forms as unknown as App, ctx))
    })
  }
})
