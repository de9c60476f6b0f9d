import { definePlugin } from '../../core/api/plugin.ts'
import { eventTypes, examinations, healthChecks, loginMethods, problems } from '../../core/api/points.ts'
import { uiParts } from '../ui/contract.ts'
import { choiceRoutes } from './choice-routes.ts'
import { dependencies } from './context.ts'
import { clientOf, examineProvider, NOT_CONFIGURED } from './provider.ts'
import { forgetAttempts, identityLinked, identityUnlinked, providerUnreachable, signInRefused } from './contract.ts'
import { identityRoutes, ownIdentityRoutes } from './identity-routes.ts'
import { hasIdentity, removeOld } from './queries.ts'
import { callbackRoute, signInRoutes } from './sign-in-routes.ts'

export default definePlugin(dependencies, {
  summary: 'Signing in at an OpenID Connect provider',
  tables: { oidcIdentity: 'workspace', oidcAttempt: 'local', oidcChoice: 'local' },
  // The provider sends browsers, with the code that signs them in, to this address: it must not come from a request.
  needsPublicUrl: true,
  migrations: {
    '001_identities': () => import('./migrations/001_identities.ts'),
    '002_attempts': () => import('./migrations/002_attempts.ts'),
    '003_choices': () => import('./migrations/003_choices.ts')
  },
  register(ctx) {
    const configured = clientOf(ctx.settings) !== undefined
    if (!configured) ctx.log.warn(NOT_CONFIGURED)
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of [identityLinked, identityUnlinked]) ctx.contribute(eventTypes, type)
    for (const kind of [signInRefused, providerUnreachable]) ctx.contribute(problems, kind)
    ctx.contribute(healthChecks, async () => ({ state: configured ? 'configured' : 'not configured' }))
    ctx.contributeWith(examinations, ctx => [{ part: 'oidc', examine: () => examineProvider(ctx) }])
    ctx.contribute(loginMethods, { isSetUp: hasIdentity })
    ctx.work(forgetAttempts, {}, async (_payloads, { db, now }) => removeOld(db, now()))
    ctx.schedule(forgetAttempts, '*/10 * * * *')
  },
  routes(app, ctx) {
    signInRoutes(app, ctx)
    callbackRoute(app, ctx)
    choiceRoutes(app, ctx)
    ownIdentityRoutes(app, ctx)
    identityRoutes(app, ctx)
  }
})
