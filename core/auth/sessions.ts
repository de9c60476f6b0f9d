import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import { insertToken, revokingTokens } from './accounts.ts'
import type { RefusalLog } from '../audit/lines.ts'
import type { Caller, Principal, SignedIn } from '../api/contract.ts'
import { makeCookies, type Cookies } from './cookies.ts'
import { notDeletedIn } from '../db/workspace-rows.ts'
import type { CoreTables, DatabaseHandle, Id, TransactionHandle } from '../api/database/types.ts'
import { forbidden } from '../api/errors.ts'
import { sessionEnded, sessionStarted, signInFailed } from '../events/account-events.ts'
import type { EventLog } from '../events/log.ts'
import type { LoginMethod } from '../api/points.ts'
import { assertSameOrigin } from './same-origin.ts'
import { makeSignInPlaces, type SignInPlaces } from './sign-in-places.ts'
import { SESSION_DAYS, type StartReads, type TokenLogin } from './token-login.ts'

const COOKIE = 'tracker_session'
/** The session to which the browser returns after a visit. */
const OWN_COOKIE = 'tracker_own_session'
const SESSION_SECONDS = SESSION_DAYS * 86_400

/**
 * Browser sessions. A session is a token of kind SESSION, so that its changes are recorded like those of access tokens.
 * Its secret is in a cookie, and is not accepted as an access token.
 */
export interface Sessions {
  /** For login methods that store state in the browser until the person has signed in. */
  readonly cookies: Cookies
  /** Places of former sign-ins; `open` stores them. */
  readonly places: Pick<SignInPlaces, 'find'>
  /**
   * The person of the session in the request's cookie.
   * @returns undefined without a cookie, and when its session is unknown, ended or expired
   * @throws 403 when the request comes from a page of another origin
   */
  principalOf(request: FastifyRequest, startReads?: StartReads): Promise<Principal | undefined>
  /**
   * Opens a session with a new secret and ends the browser's former ones.
   * @param method the login method, for the event
   * @throws 403 for an agent
   */
  open(request: FastifyRequest, reply: FastifyReply, account: SignedIn, method: string): Promise<void>
  /** Like `open`, but keeps the present session: `goBack` returns to it. */
  visit(request: FastifyRequest, reply: FastifyReply, account: SignedIn): Promise<void>
  /**
   * Ends a visit.
   * @returns the person of the browser's session; undefined without a visit, or when that session has ended
   */
  goBack(request: FastifyRequest, reply: FastifyReply): Promise<Principal | undefined>
  /** Ends this browser's session, and the one to which a visit would return. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * Ends all sessions of an account, on every replica from the next request on.
   * @param caller of the account's workspace
   * @returns the number of sessions
   */
  endAll(trx: TransactionHandle, caller: Caller, accountId: Id): Promise<number>
  /** Logs a refused attempt to sign in, and appends an event for each known account, without waiting. */
  failed(request: FastifyRequest, attempt: FailedAttempt): void
  /** Waits until the events of refused attempts are stored. */
  close(): Promise<void>
  /** Sends the cookie again, to extend its lifetime to the session's. */
  renew(request: FastifyRequest, reply: FastifyReply): void
  /** True if an account can sign in by any login method that is on. */
  hasLoginMethod(handle: DatabaseHandle, account: SignedIn): Promise<boolean>
}

interface FailedAttempt {
  method: string
  /** The code of the error that was answered, or a more exact one. */
  reason: string
  accounts?: readonly SignedIn[]
  /**
   * Default true. Attempts that are refused before the credentials are checked append no event, so that nobody can fill
   * a workspace's log.
   */
  wasChecked?: boolean
  /** The typed e-mail address, when no account has it. */
  email?: string
}

interface SessionOptions {
  db: Kysely<CoreTables>
  transaction<T>(work: (trx: Transaction<CoreTables>) => Promise<T>): Promise<T>
  events: Pick<EventLog, 'append'>
  refusals: RefusalLog
  tokens: TokenLogin
  loginMethods: () => readonly LoginMethod[]
  now: () => Date
  prefix: string
  publicUrl: string | undefined
}

export function makeSessions(options: SessionOptions): Sessions {
  const { db, tokens, loginMethods, prefix, publicUrl, now } = options
  const cookies = makeCookies({ prefix, publicUrl })
  const places = makeSignInPlaces(db, cookies, now)
  const [session, own] = [cookieOf(cookies, COOKIE), cookieOf(cookies, OWN_COOKIE)]
  async function endBoth(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    for (const { read } of [session, own]) await endSession(options, request, read(request))
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
    async open(request, reply, account, method) {
      const secret = await insertSession(options, request, account, method)
      await endBoth(request, reply)
      session.set(request, reply, secret)
      await places.remember(request, reply, account)
    },
    async visit(request, reply, account) {
      const secret = session.read(request)
      session.set(request, reply, await insertSession(options, request, account, 'visit'))
      if (secret !== undefined) own.set(request, reply, secret)
    },
    async goBack(request, reply) {
      const secret = own.read(request)
      if (secret === undefined) return undefined
      assertSameOrigin(request, publicUrl)
      await endSession(options, request, session.read(request))
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
    endAll: (trx, caller, accountId) => revokeSessions(options, trx, caller, accountId),
    ...makeFailures(options),
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

function makeFailures({ transaction, events, refusals }: SessionOptions): Pick<Sessions, 'failed' | 'close'> {
  const storing = new Set<Promise<unknown>>()
  return {
    failed(request, { method, reason, accounts = [], wasChecked = true, email }) {
      const { ip: address, log } = request
      refusals.write({ security: 'sign_in.failed', address, reason, method, ...accounts[0], email }, log)
      if (!wasChecked) return
      // Not awaited: the response time would reveal whether an account has the e-mail address.
      for (const { workspaceId, accountId: subjectId } of accounts) {
        const caller = { workspaceId, accountId: null, tokenId: null, scopes: [] }
        const data = { method, reason }
        const stored = transaction(trx => events.append(trx, signInFailed, caller, [{ subjectId, data }]))
          .catch((err: unknown) => log.warn({ err }, 'the event of a failed sign-in could not be stored'))
          .finally(() => storing.delete(stored))
        storing.add(stored)
      }
    },
    async close() {
      await Promise.all(storing)
    }
  }
}

async function endSession(options: SessionOptions, { ip }: FastifyRequest, secret: string | undefined): Promise<void> {
  const current = secret === undefined ? undefined : await options.tokens.principalOf(secret, 'SESSION')
  if (!current) return
  const { accountId, tokenId } = current
  await options.transaction(trx => revokeSessions(options, trx, { ...current, address: ip }, accountId, tokenId))
}

/** The cookie with a session's secret. */
function cookieOf(cookies: Cookies, name: string) {
  const write = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number) =>
    cookies.write(request, reply, { name, value, sameSite: 'strict', seconds })
  return {
    read: (request: FastifyRequest) => cookies.read(request, name),
    set: (request: FastifyRequest, reply: FastifyReply, secret: string) =>
      write(request, reply, secret, SESSION_SECONDS),
    clear: (request: FastifyRequest, reply: FastifyReply) => write(request, reply, '', 0)
  }
}

/**
 * @returns the secret
 * @throws 403 for an agent
 */
async function insertSession(
  { db, transaction, events, now }: SessionOptions,
  { ip }: FastifyRequest,
  { workspaceId, accountId }: SignedIn,
  method: string
): Promise<string> {
  const person = await db
    .selectFrom('account')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', accountId)
    .where('kind', '=', 'PERSON')
    .executeTakeFirst()
  if (!person) throw forbidden('Only people sign in: an agent sends its token with each request.')
  const expiresAt = new Date(now().getTime() + SESSION_SECONDS * 1000)
  const spec = { accountId, name: 'Session', kind: 'SESSION', expiresAt } as const
  return transaction(async trx => {
    const { id, token } = await insertToken(trx, workspaceId, spec)
    const caller = { workspaceId, accountId, tokenId: id, scopes: [], address: ip }
    await events.append(trx, sessionStarted, caller, [{ subjectId: id, data: { method } }])
    return token
  })
}

/**
 * @param tokenId the session; absent: all sessions of the account
 * @returns the number of ended sessions
 */
async function revokeSessions(
  { events, now }: SessionOptions,
  trx: TransactionHandle,
  caller: Caller,
  accountId: Id,
  tokenId?: Id
): Promise<number> {
  const { numUpdatedRows } = await revokingTokens(trx, caller.workspaceId, now())
    .where('accountId', '=', accountId)
    .where('kind', '=', 'SESSION')
    .$if(tokenId !== undefined, query => query.where('id', '=', tokenId!))
    .executeTakeFirstOrThrow()
  const sessions = Number(numUpdatedRows)
  if (sessions > 0) await events.append(trx, sessionEnded, caller, [{ subjectId: accountId, data: { sessions } }])
  return sessions
}
