import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** Errors that the provider makes. */
export interface Faults {
  issuer?: string
  audience?: string
  nonce?: string
  /** Signs with a key that it does not publish. */
  isForged?: boolean
  /** Does not sign. */
  isUnsigned?: boolean
  isExpired?: boolean
  /** Denies access. */
  isDenying?: boolean
}
export interface Person {
  sub: string
  email?: unknown
  name?: unknown
  email_verified?: unknown
}
interface Granted {
  person: Person
  nonce: string
  challenge: string
  redirectUri: string
}

export interface TestProvider {
  issuer: string
  /** The next person to sign in. */
  person: Person
  faults: Faults
  /** The query of the last request to begin. */
  asked: URLSearchParams
  /** The answer of `userinfo`; undefined: the provider has none. */
  userInfo: object | undefined
  userInfoRequests: number
  close(): Promise<void>
}

export const CLIENT = { clientId: 'tracker', clientSecret: 'a secret of the client' }

/** A small OpenID Connect provider: the code flow with PKCE, where everybody is signed in at once. */
export async function startProvider(): Promise<TestProvider> {
  const published = await generateKeyPair('RS256')
  const secret = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(published.publicKey)), alg: 'RS256', use: 'sig', kid: 'one' }]
  const codes = new Map<string, Granted>()
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const provider: TestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { sub: 'ada-1', email: 'ada@example.org', name: 'Ada' },
    faults: {},
    asked: new URLSearchParams(),
    userInfo: undefined,
    userInfoRequests: 0,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
  return provider

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, provider.issuer)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/authorize') response.writeHead(303, { location: authorize(url.searchParams) }).end()
    else if (url.pathname === '/.well-known/openid-configuration') {
      const userinfo = provider.userInfo && { userinfo_endpoint: `${provider.issuer}/userinfo` }
      json(200, { ...metadata(provider.issuer), ...userinfo })
    } else if (url.pathname === '/userinfo') {
      provider.userInfoRequests++
      json(200, provider.userInfo ?? {})
    } else if (url.pathname === '/keys') json(200, { keys })
    else if (url.pathname === '/token') json(...(await token(new URLSearchParams(await text(request)))))
    else json(404, {})
  }

  function authorize(query: URLSearchParams): string {
    provider.asked = query
    const back = new URL(query.get('redirect_uri')!)
    back.searchParams.set('state', query.get('state')!)
    if (provider.faults.isDenying) {
      back.searchParams.set('error', 'access_denied')
      return back.href
    }
    const code = randomUUID()
    const [nonce, challenge] = [query.get('nonce')!, query.get('code_challenge')!]
    codes.set(code, { person: provider.person, nonce, challenge, redirectUri: query.get('redirect_uri')! })
    back.searchParams.set('code', code)
    return back.href
  }

  async function token(body: URLSearchParams): Promise<[number, object]> {
    const granted = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      granted?.challenge === challenge &&
      granted.redirectUri === body.get('redirect_uri') &&
      body.get('client_id') === CLIENT.clientId &&
      body.get('client_secret') === CLIENT.clientSecret
    if (!isRight) return [400, { error: 'invalid_grant' }]
    return [200, { access_token: randomUUID(), token_type: 'Bearer', id_token: await idToken(granted) }]
  }

  async function idToken({ person, nonce }: Granted): Promise<string> {
    const { issuer = provider.issuer, audience = CLIENT.clientId, isForged, isUnsigned, isExpired } = provider.faults
    const signed = await new SignJWT({ ...person, nonce: provider.faults.nonce ?? nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(isExpired ? '-2h' : undefined)
      .setExpirationTime(isExpired ? '-1h' : '5m')
      .sign((isForged ? secret : published).privateKey)
    if (!isUnsigned) return signed
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    return `${none}.${signed.split('.')[1]}.`
  }
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  code_challenge_methods_supported: ['S256']
})
