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
import { SESSION_DAYS, type StartReads, type TokenLogin } from './token-login.ts'

const COOKIE = 'tracker_session'
const SESSION_SECONDS = SESSION_DAYS * 86_400

/**
 * Sessions of browsers. A session is a row of kind SESSION among the tokens, so that changes made in it are recorded
 * like changes made with a token. Its secret is in a cookie, and is not accepted as an access token.
 */
export interface Sessions {
  /** For the state that a login method keeps in the browser until the person has signed in. */
  readonly cookies: Cookies
  /**
   * The person whose session the cookie of a request stands for.
   * @returns undefined without a cookie, and when its session is unknown, ended or expired
   * @throws 403 when the request comes from a page of another origin
   */
  principalOf(request: FastifyRequest, startReads?: StartReads): Promise<Principal | undefined>
  /** Begins a session with a secret of its own and ends the one that the browser had. @throws 403 for an agent */
  open(request: FastifyRequest, reply: FastifyReply, account: SignedIn): Promise<void>
  /** Ends the session of this browser. */
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

export function makeSessions({ db, tokens, loginMethods, now, prefix, publicUrl }: SessionOptions): Sessions {
  const cookies = makeCookies({ prefix, publicUrl })
  const secretOf = (request: FastifyRequest) => cookies.read(request, COOKIE)
  const setCookie = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number) =>
    cookies.write(request, reply, { name: COOKIE, value, sameSite: 'Strict', seconds })
  async function endCurrent(request: FastifyRequest): Promise<void> {
    const secret = secretOf(request)
    const current = secret === undefined ? undefined : await tokens.principalOf(secret, 'SESSION')
    if (current) await revokeSessions(db, current, now(), current.tokenId)
  }

  return {
    cookies,
    async principalOf(request, startReads) {
      const secret = secretOf(request)
      if (secret === undefined) return undefined
      assertSameOrigin(request, publicUrl)
      return tokens.principalOf(secret, 'SESSION', startReads)
    },
    async open(request, reply, { workspaceId, accountId }) {
      const person = await db
        .selectFrom('account')
        .select('id')
        .where(notDeletedIn(workspaceId))
        .where('id', '=', accountId)
        .where('kind', '=', 'PERSON')
        .executeTakeFirst()
      if (!person) throw forbidden('Only people sign in: an agent sends its token with each request.')
      await endCurrent(request)
      const expiresAt = new Date(now().getTime() + SESSION_SECONDS * 1000)
      const session = await insertToken(db, workspaceId, { accountId, name: 'Session', kind: 'SESSION', expiresAt })
      setCookie(request, reply, session.token, SESSION_SECONDS)
    },
    async end(request, reply) {
      await endCurrent(request)
      setCookie(request, reply, '', 0)
    },
    async endAll(handle, account) {
      return Number((await revokeSessions(handle, account, now())).numUpdatedRows)
    },
    renew(request, reply) {
      const secret = secretOf(request)
      if (secret !== undefined) setCookie(request, reply, secret, SESSION_SECONDS)
    },
    async hasLoginMethod(handle, account) {
      for (const { isSetUp } of loginMethods()) if (await isSetUp?.(handle, account)) return true
      return false
    }
  }
}

/** @param tokenId the session to end; absent: all sessions of the account */
const revokeSessions = (handle: DatabaseHandle, { workspaceId, accountId }: SignedIn, at: Date, tokenId?: Id) =>
  revokingTokens(handle, workspaceId, at)
    .where('accountId', '=', accountId)
    .where('kind', '=', 'SESSION')
    .$if(tokenId !== undefined, query => query.where('id', '=', tokenId!))
    .executeTakeFirst()
