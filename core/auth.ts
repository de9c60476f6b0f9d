import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sql, type Kysely } from 'kysely'
import type { ShortReads } from './db/short-reads.ts'
import { statement } from './db/statement.ts'
import type { CoreTables, Id, Scope } from './db/tables.ts'
import { ApiError, shown } from './errors.ts'
import { DEFAULT_SCOPES, requiredScope, SCOPES } from './scopes.ts'
import { hashToken, isWellFormedToken } from './tokens.ts'

/** Who asks. */
export interface Principal {
  readonly workspaceId: Id
  readonly accountId: Id
  readonly tokenId: Id
  readonly kind: 'PERSON' | 'AGENT'
  readonly role: 'ADMIN' | 'MEMBER'
  readonly fullname: string
  /** What may be done: for a person everything, for an agent its scopes. */
  readonly scopes: readonly Scope[]
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
  }
  interface FastifyContextConfig {
    /** No token is asked for; `request.principal` must not be read. */
    public?: boolean
    /** The scope this route needs, where the rule by method does not fit. */
    scope?: Scope
    /** Only administrators. */
    admin?: boolean
  }
}

/** The request on whose behalf code runs that asks the server itself, while that request lasts. */
const onBehalf = new AsyncLocalStorage<{ request: FastifyRequest | undefined }>()

/** In `work`, a request to this server with the token of `request` is that caller's: the token is not looked up again. */
export async function onBehalfOf<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const scope: { request: FastifyRequest | undefined } = { request }
  try {
    return await onBehalf.run(scope, async () => await work())
  } finally {
    // What `work` left running has no more rights than a stranger.
    scope.request = undefined
  }
}

/** A client may name the workspace, but only its token's own. @throws 404 */
export function wantOwnWorkspace({ workspaceId }: Pick<Principal, 'workspaceId'>, asked: string | undefined): void {
  if (asked && asked.toLowerCase() !== workspaceId) {
    throw new ApiError(
      404,
      'NOT_FOUND',
      `This token does not belong to a workspace '${shown(asked)}': leave workspaceId out.`
    )
  }
}

const TOUCH_EVERY = 60_000

interface TokenRow {
  workspaceId: Id
  tokenId: Id
  lastUsedAt: Date | null
  expiresAt: Date | null
  accountId: Id
  kind: 'PERSON' | 'AGENT'
  role: 'ADMIN' | 'MEMBER'
  fullname: string
  scopes: Scope[] | null
}
const findToken = statement<{ hash: Buffer }, TokenRow>(
  ({ hash }) => sql`
  select token.workspace_id, token.id as token_id, token.last_used_at, token.expires_at, account.id as account_id, account.kind, account.role, account.fullname, account.scopes
  from token join account on account.workspace_id = token.workspace_id and account.id = token.account_id
  where token.hash = ${hash} and token.revoked_at is null and account.deleted_at is null`
)

const challenge = { 'www-authenticate': 'Bearer' }
const missing = () =>
  new ApiError(
    401,
    'TOKEN_MISSING',
    "Send an access token in the header 'Authorization: Bearer <token>'.",
    {},
    challenge
  )
const refused = () =>
  new ApiError(
    401,
    'TOKEN_INVALID',
    'The access token is malformed, unknown, revoked or expired: ask an administrator for a new one.',
    {},
    challenge
  )

/** Bearer tokens, scopes and roles, checked before the body of a request is read. */
export const auth = fp<{ db: Kysely<CoreTables>; shortReads: ShortReads<CoreTables>; now: () => Date }>(
  async (app, { db, shortReads, now }) => {
    // Filled by the hook below for every route that is not public.
    app.decorateRequest('principal', null as unknown as Principal)

    app.addHook('onRequest', async request => {
      const { public: open, scope, admin } = request.routeOptions.config
      if (open || request.is404) return
      const principal = await authenticate(request)
      const needed = requiredScope(request.method, scope)
      if (!principal.scopes.includes(needed)) {
        throw new ApiError(
          403,
          'SCOPE_REQUIRED',
          `This request needs the scope '${needed}', which the agent '${principal.fullname}' does not have: an administrator can grant it.`,
          { requiredScope: needed },
          { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` }
        )
      }
      if (admin && principal.role !== 'ADMIN') {
        throw new ApiError(
          403,
          'ADMIN_REQUIRED',
          'Only an administrator may do this: ask one, or use an administrator’s token.'
        )
      }
      request.principal = principal
    })

    async function authenticate(request: FastifyRequest): Promise<Principal> {
      const header = request.headers.authorization
      if (header === undefined) throw missing()
      const caller = onBehalf.getStore()?.request
      if (caller?.headers.authorization === header) return caller.principal
      const token = /^Bearer +(\S+) *$/i.exec(header)?.[1]
      if (token === undefined || !isWellFormedToken(token)) throw refused()
      const [row] = await findToken(shortReads, { hash: hashToken(token) })
      const time = now().getTime()
      if (row === undefined || (row.expiresAt !== null && row.expiresAt.getTime() <= time)) throw refused()
      if (row.lastUsedAt === null || time - row.lastUsedAt.getTime() > TOUCH_EVERY) {
        touch(row.workspaceId, row.tokenId, time)
      }
      const { workspaceId, accountId, tokenId, kind, role, fullname } = row
      return {
        workspaceId,
        accountId,
        tokenId,
        kind,
        role,
        fullname,
        scopes: kind === 'PERSON' ? SCOPES : (row.scopes ?? DEFAULT_SCOPES)
      }
    }

    // Beside the request, which does not wait; at most once a minute and token, here and over all replicas.
    const touching = new Map<Id, Promise<unknown>>()
    function touch(workspaceId: Id, tokenId: Id, time: number): void {
      if (touching.has(tokenId)) return
      const written = db
        .updateTable('token')
        .set({ lastUsedAt: new Date(time) })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', tokenId)
        .where(eb =>
          eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', sql<Date>`${new Date(time - TOUCH_EVERY)}`)])
        )
        .execute()
        .catch((error: unknown) => app.log.warn({ err: error }, 'could not note the use of a token'))
        .finally(() => touching.delete(tokenId))
      touching.set(tokenId, written)
    }
    app.addHook('onClose', async () => {
      await Promise.all(touching.values())
    })
  },
  { name: 'auth' }
)
