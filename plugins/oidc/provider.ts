import type * as OpenidClient from 'openid-client'
import { Type } from 'typebox'
import { conflict } from '../../core/api/errors.ts'
import { well, wrong, type Finding } from '../../core/api/points.ts'
import { singleton } from '../../core/api/plugin.ts'
import { Line } from '../../core/api/schemas.ts'
import { guardOf } from '../../core/api/http.ts'
import type { Ctx } from './context.ts'
import { providerUnreachable, signInRefused } from './contract.ts'
import type { Identity } from './queries.ts'

/** Seconds in which the provider must answer. */
const TIMEOUT_SECONDS = 10

/** The secrets of an attempt, known only to the browser that began it. */
export interface Attempt {
  state: string
  nonce: string
  codeVerifier: string
}
interface Profile {
  email?: string
  fullname?: string
  /** True if the provider says that the address is not verified. */
  isUnverified: boolean
}
export interface SignedInThere {
  identity: Identity
  /** The provider's data about the person, requested when an account is created. @throws 401 */
  profile(): Promise<Profile>
}
interface Provider {
  /**
   * @returns the address for signing in, from which the browser returns to `redirectUri`
   * @throws 409, 503
   */
  begin(redirectUri: string): Promise<{ url: string; attempt: Attempt }>
  /**
   * @param callback the address to which the provider sent the browser
   * @throws 401, 503
   */
  finish(callback: URL, attempt: Attempt): Promise<SignedInThere>
}

interface Client {
  issuer: string
  clientId: string
  clientSecret: string | undefined
}
export const NOT_CONFIGURED =
  'No OpenID Connect provider is configured: set plugins.oidc.issuer and plugins.oidc.clientId ' +
  '(TRACKER_PLUGINS__OIDC__ISSUER, TRACKER_PLUGINS__OIDC__CLIENT_ID), or turn the plugin off.'

export const clientOf = ({ issuer, clientId, clientSecret }: Ctx['settings']): Client | undefined =>
  issuer === undefined || clientId === undefined ? undefined : { issuer, clientId, clientSecret }

type Library = typeof OpenidClient
type Configuration = OpenidClient.Configuration

/** Its configuration and the library are loaded at the first sign-in. */
export const providerOf = singleton('provider', ({ settings, log }: Ctx): Provider => {
  let known: Promise<Configuration> | undefined

  function unreachable(error: unknown) {
    log.warn({ err: error }, 'the OpenID Connect provider cannot be used')
    return providerUnreachable(
      `${settings.name} cannot be reached, or is not plugins.oidc.issuer: try again, or sign in another way.`
    )
  }

  async function connect(): Promise<{ library: Library; configuration: Configuration }> {
    const client = clientOf(settings)
    if (client === undefined) throw conflict(NOT_CONFIGURED)
    const library = await import('openid-client')
    try {
      return { library, configuration: await (known ??= discover(library, client)) }
    } catch (error) {
      known = undefined
      throw unreachable(error)
    }
  }

  return {
    async begin(redirectUri) {
      const { library, configuration } = await connect()
      const attempt = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        codeVerifier: library.randomPKCECodeVerifier()
      }
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256'
      })
      return { url: url.href, attempt }
    },
    async finish(callback, attempt) {
      const { library, configuration } = await connect()
      const refusing = async <T>(work: () => Promise<T>): Promise<T> => {
        try {
          return await work()
        } catch (error) {
          if (hasNoAnswer(error)) throw unreachable(error)
          log.warn({ reason: reasonOf(error) }, 'an attempt to sign in with OpenID Connect is refused')
          if (error instanceof library.AuthorizationResponseError) {
            throw signInRefused(`${settings.name} refused the sign-in: try again, or sign in another way.`)
          }
          throw signInRefused(`The answer of ${settings.name} is not valid: sign in again, in this browser.`)
        }
      }
      const { identity, profile } = await refusing(() => exchange(library, configuration, callback, attempt))
      return { identity, profile: () => refusing(profile) }
    }
  }
})

export async function examineProvider(ctx: Ctx): Promise<Finding[]> {
  const client = clientOf(ctx.settings)
  if (client === undefined) return [wrong(NOT_CONFIGURED)]
  const { issuer } = client
  try {
    await ctx.get(providerOf).begin('https://tracker.invalid/')
  } catch {
    return [wrong(`The provider ${issuer} is not reached, or is none: correct plugins.oidc.issuer, or the network.`)]
  }
  return [well(`The provider ${issuer} answers.`)]
}

function discover(library: Library, { issuer, clientId, clientSecret }: Client): Promise<Configuration> {
  const server = new URL(issuer)
  const insecure = server.protocol === 'http:' ? [library.allowInsecureRequests] : []
  return library.discovery(server, clientId, clientSecret, authentication(library, clientSecret), {
    timeout: TIMEOUT_SECONDS,
    // The signature of an ID token is verified, although the token comes from the provider over TLS.
    execute: [...insecure, library.enableNonRepudiationChecks]
  })
}

/** Sends the secret in the body if the provider accepts that, else in a header. */
function authentication(library: Library, secret: string | undefined): OpenidClient.ClientAuth {
  if (secret === undefined) return library.None()
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const chosen = methods.includes('client_secret_post') ? library.ClientSecretPost : library.ClientSecretBasic
    chosen(secret)(server, client, body, headers)
  }
}

/** The errors of `fetch`, and the library's for one that takes too long. */
const hasNoAnswer = (error: unknown): boolean =>
  error instanceof Error && (error.message === 'fetch failed' || ('code' in error && error.code === 'OAUTH_TIMEOUT'))

/** The loggable part of an error: the rest, such as the callback's address, has the code and the state. */
function reasonOf(error: unknown): string {
  const { message, code, error: named } = error as Error & { code?: string; error?: string }
  return [message, code, named].filter(part => part !== undefined).join(', ')
}

/** Claims are validated like bodies of requests. */
const isSubject = guardOf(Line(255))
const isProfile = guardOf(
  Type.Object({
    email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
    name: Type.Optional(Line(200)),
    email_verified: Type.Optional(Type.Union([Type.Boolean(), Type.Enum(['true', 'false'])]))
  })
)

/** @throws Error when the answer does not prove an identity */
async function exchange(
  library: Library,
  configuration: Configuration,
  callback: URL,
  { state, nonce, codeVerifier }: Attempt
): Promise<SignedInThere> {
  const tokens = await library.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true
  })
  const claims = tokens.claims()!
  if (!isSubject(claims.sub)) throw new Error('the claim sub is not one line of at most 255 characters')
  return {
    identity: { issuer: normalizeIssuer(claims.iss), subject: claims.sub },
    async profile() {
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      const userInfo: object =
        claims['email'] === undefined && hasUserInfo
          ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      if (!isProfile(userInfo)) throw new Error('one of the claims email, name and email_verified is not valid')
      const { email, name, email_verified: verified } = userInfo
      return {
        ...(email !== undefined && { email }),
        ...(name !== undefined && { fullname: name }),
        isUnverified: verified === false || verified === 'false'
      }
    }
  }
}

/** An issuer without the final slash, in which providers and configurations differ. */
export const normalizeIssuer = (issuer: string): string => issuer.replace(/\/$/, '')
