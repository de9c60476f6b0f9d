import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { insertToken, revokingTokens } from './accounts.ts'
import type { Principal, SignedIn } from './contract.ts'
import { makeCookies, type Cookies } from './cookies.ts'
import { notDeletedIn } from './db/workspace-rows.ts'
import type { CoreTables, DatabaseHandle, Id } from './db/tables.ts'
import { forbidden } from './errors.ts'
import type { LoginMethod } from './points.ts'
import { assertSameOrigin } from './same-origin.ts'
import { makeSignInPlaces, type SignInPlaces } from './sign-in-places.ts'
import { SESSION_DAYS, type StartReads, type TokenLogin } from './token-login.ts'

const COOKIE = 'tracker_session'
/** The session to which the browser returns from a visit. */
const OWN_COOKIE = 'tracker_own_session'
const SESSION_SECONDS = SESSION_DAYS * 86_400

/**
 * Sessions of browsers. A session is a row of kind SESSION among the tokens, so that changes made in it are recorded
 * like changes made with a token. Its secret is in a cookie, and is not accepted as an access token.
 */
export interface Sessions {
  /** For the state that a login method keeps in the browser until the person has signed in. */
  readonly cookies: Cookies
  /** From where people have signed in before; `open` remembers it. */
  readonly places: Pick<SignInPlaces, 'find'>
  /**
   * The person whose session the cookie of a request stands for.
   * @returns undefined without a cookie, and when its session is unknown, ended or expired
   * @throws 403 when the request comes from a page of another origin
   */
  principalOf(request: FastifyRequest, startReads?: StartReads): Promise<Principal | undefined>
  /** Begins a session with a secret of its own and ends those that the browser had. @throws 403 for an agent */
  open(request: FastifyRequest, reply: FastifyReply, account: SignedIn): Promise<void>
  /** As `open`, but the present session goes on: `goBack` returns to it. */
  visit(request: FastifyRequest, reply: FastifyReply, account: SignedIn): Promise<void>
  /** Ends a visit. @returns whose session the browser has now; undefined when there was no visit, or it has ended */
  goBack(request: FastifyRequest, reply: FastifyReply): Promise<Principal | undefined>
  /** Ends the session of this browser, and the one to which a visit would return. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Ends all sessions of an account, on every replica from the next request on. @returns how many there were */
  endAll(handle: DatabaseHandle, account: SignedIn): Promise<number>
  /** Sends the cookie again, so that the browser keeps it as long as the session lasts. */
  renew(request: FastifyRequest, reply: FastifyReply): void
  /** Whether an account can sign in by any of the login methods that are on. */
  hasLoginMethod(handle: DatabaseHandle, account: SignedIn): Promise<boolean>
}

interface SessionOptions {
  db: Kysely<CoreTables>
  tokens: TokenLogin
  loginMethods: () => readonly LoginMethod[]
  now: () => Date
  prefix: string
  publicUrl: string | undefined
}

export function makeSessions(options: SessionOptions): Sessions {
  const { db, tokens, loginMethods, now, prefix, publicUrl } = options
  const cookies = makeCookies({ prefix, publicUrl })
  const places = makeSignInPlaces(db, cookies, now)
  const [session, own] = [cookieOf(cookies, COOKIE), cookieOf(cookies, OWN_COOKIE)]
  async function endBoth(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    for (const { read } of [session, own]) await endSession(options, read(request))
    if (own.read(request) !== undefined) own.clear(request, reply)
  }

  return {
    cookies,
    places,
    async principalOf(request, startReads) {
      const secret = session.read(request)
      if (secret === undefined) return undefined
      assertSameOrigin(request, publicUrl)
      return tokens.principalOf(secret, 'SESSION', startReads)
    },
    async open(request, reply, account) {
      const secret = await insertSession(db, account, now())
      await endBoth(request, reply)
      session.set(request, reply, secret)
      await places.remember(request, reply, account)
    },
    async visit(request, reply, account) {
      const secret = session.read(request)
      session.set(request, reply, await insertSession(db, account, now()))
      if (secret !== undefined) own.set(request, reply, secret)
    },
    async goBack(request, reply) {
      const secret = own.read(request)
      if (secret === undefined) return undefined
      assertSameOrigin(request, publicUrl)
      await endSession(options, session.read(request))
      const principal = await tokens.principalOf(secret, 'SESSION')
      if (principal) session.set(request, reply, secret)
      else session.clear(request, reply)
      own.clear(request, reply)
      return principal
    },
    async end(request, reply) {
      await endBoth(request, reply)
      session.clear(request, reply)
    },
    async endAll(handle, account) {
      return Number((await revokeSessions(handle, account, now())).numUpdatedRows)
    },
    renew(request, reply) {
      for (const { read, set } of [session, own]) {
        const secret = read(request)
        if (secret !== undefined) set(request, reply, secret)
      }
    },
    async hasLoginMethod(handle, account) {
      for (const { isSetUp } of loginMethods()) if (await isSetUp?.(handle, account)) return true
      return false
    }
  }
}

async function endSession({ db, tokens, now }: SessionOptions, secret: string | undefined): Promise<void> {
  const current = secret === undefined ? undefined : await tokens.principalOf(secret, 'SESSION')
  if (current) await revokeSessions(db, current, now(), current.tokenId)
}

/** The cookie with the secret of a session. */
function cookieOf(cookies: Cookies, name: string) {
  const write = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number) =>
    cookies.write(request, reply, { name, value, sameSite: 'Strict', seconds })
  return {
    read: (request: FastifyRequest) => cookies.read(request, name),
    set: (request: FastifyRequest, reply: FastifyReply, secret: string) =>
      write(request, reply, secret, SESSION_SECONDS),
    clear: (request: FastifyRequest, reply: FastifyReply) => write(request, reply, '', 0)
  }
}

/** @returns the secret of a new session @throws 403 for an agent */
async function insertSession(db: Kysely<CoreTables>, { workspaceId, accountId }: SignedIn, at: Date): Promise<string> {
  const person = await db
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', accountId)
    .where('kind', '=', 'PERSON')
    .executeTakeFirst()
  if (!person) throw forbidden('Only people sign in: an agent sends its token with each request.')
  const expiresAt = new Date(at.getTime() + SESSION_SECONDS * 1000)
  const { token } = await insertToken(db, workspaceId, { accountId, name: 'Session', kind: 'SESSION', expiresAt })
  return token
}

/** @param tokenId the session to end; absent: all sessions of the account */
const revokeSessions = (handle: DatabaseHandle, { workspaceId, accountId }: SignedIn, at: Date, tokenId?: Id) =>
  revokingTokens(handle, workspaceId, at)
    .where('accountId', '=', accountId)
    .where('kind', '=', 'SESSION')
    .$if(tokenId !== undefined, query => query.where('id', '=', tokenId!))
    .executeTakeFirst()
