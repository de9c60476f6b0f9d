import { Type } from 'typebox'
import { ApiError, forbidden } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, Nullable } from '../../core/api/schemas.ts'
import { keepChoice } from './choices.ts'
import { endAttempt, keepAttempt, readAttempt } from './attempts.ts'
import type { Ctx } from './context.ts'
import { goOn, sendFailurePage } from './pages.ts'
import { peopleOf } from './people.ts'
import { clientOf, providerOf } from './provider.ts'

export const CALLBACK = '/v1/oidc/callback'
const tags = ['session']

/** A path of this server that a browser cannot take for another host. */
const OwnPath = Type.String({
  pattern: '^/([^/\\\\\\u0000-\\u001f\\u007f][^\\\\\\u0000-\\u001f\\u007f]*)?$',
  maxLength: 2000,
  description: 'The path, with its query, to which the browser returns.'
})

export function signInRoutes(app: App, ctx: Ctx): void {
  const { settings } = ctx
  const { address, sessions } = ctx.use
  const { cookies } = sessions

  app.get(
    '/v1/oidc',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'The name of the OpenID Connect provider',
        response: answers(200, Closed({ name: Nullable(Type.String(), { description: 'Null: there is none yet.' }) }))
      }
    },
    async () => ({ name: clientOf(settings) ? settings.name : null })
  )

  app.post(
    '/v1/oidc/sign_in',
    {
      config: { signIn: true },
      schema: {
        tags,
        summary: 'Start to sign in at the OpenID Connect provider',
        description:
          'Answers the address at which the browser signs in, within 10 minutes. With `link` the identity is linked ' +
          'to the account of this browser’s session: POST /v1/oidc/link.',
        body: Closed({ to: Type.Optional(OwnPath), link: Type.Optional(Type.Boolean()) }),
        response: answers(200, Closed({ url: Type.String() }))
      }
    },
    async (request, reply) => {
      const { to = `${address.prefix}/`, link = false } = request.body
      if (link && !(await sessions.principalOf(request))) throw forbidden('Sign in first, to link an identity.')
      const { url, attempt } = await ctx.get(providerOf).begin(cookies.addressOf(request) + CALLBACK)
      await keepAttempt(ctx, request, reply, { ...attempt, to, purpose: link ? 'link' : 'signIn' })
      return { url }
    }
  )
}

export function callbackRoute(app: App, ctx: Ctx): void {
  const { address, sessions } = ctx.use
  const { cookies } = sessions
  // The request comes from the provider's site: the attempt in the cookie proves that this browser began it.
  app.get(CALLBACK, { config: { public: true }, schema: { hide: true } }, async (request, reply) => {
    try {
      const callback = new URL(cookies.addressOf(request) + request.url)
      const begun = readAttempt(cookies, request, { state: callback.searchParams.get('state') })
      // The session's cookie is not sent from another site: the interface links the identity.
      if (begun.purpose === 'link') return goOn(reply, `${address.prefix}/settings/single-sign-on${callback.search}`)
      await endAttempt(ctx, request, reply, begun)
      const signedIn = await ctx.get(providerOf).finish(callback, begun)
      const [person, ...others] = await peopleOf(ctx, signedIn)
      if (others.length > 0) {
        await keepChoice(ctx, request, reply, signedIn.identity)
        return goOn(reply, `${begun.to.split('#')[0]}#choose-workspace`)
      }
      await sessions.open(request, reply, person!, 'oidc')
      return goOn(reply, begun.to)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.statusCode === 401) sessions.failed(request, { method: 'oidc', reason: error.code })
      return sendFailurePage(reply, error.statusCode, error.message, `${address.prefix}/`)
    }
  })
}
