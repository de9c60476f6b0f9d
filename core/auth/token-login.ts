import type { FastifyBaseLogger } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Principal, Scope, SignedIn } from '../api/contract.ts'
import { defaultScopes } from '../api/scopes.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statements/statement.ts'
import type { Confinement, CoreTables, Id, Reader } from '../api/database/types.ts'
import { hashToken, isWellFormedToken } from './tokens.ts'

/** Minimum milliseconds between two updates of a token's last use. */
const TOUCH_EVERY_MS = 60_000
const MAX_CACHED = 10_000
/** Days after its last use at which a session expires. */
export const SESSION_DAYS = 30

/** One kind is never accepted as the other. */
type TokenKind = 'ACCESS' | 'SESSION'

/** The constant fields of a token. */
interface TokenOwner extends SignedIn {
  tokenId: Id
  kind: 'PERSON' | 'AGENT'
  confinedTo: Confinement | null
}
interface KnownToken extends TokenOwner {
  /** When this process last stored its use, in milliseconds of `now`. */
  touchedAt: number
}
/** Read for each request: any replica may revoke a token or change an account. */
interface TokenStatus {
  expiresAt: Date | null
  role: 'ADMIN' | 'MEMBER'
  fullname: string
  scopes: string[] | null
}
// Raw SQL: a join whose names read more easily so.
const statusColumns = sql`token.expires_at, account.role, account.fullname, account.scopes`
const fromValidToken = (isRight: RawBuilder<unknown>) => sql`
    from token join account on account.workspace_id = token.workspace_id and account.id = token.account_id
    where ${isRight} and token.revoked_at is null and account.deleted_at is null`
const findToken = statement<{ hash: Buffer; kind: TokenKind }, TokenOwner & TokenStatus>(
  import.meta,
  'findToken',
  ({ hash, kind }) => sql`
    select token.workspace_id, token.id as token_id, account.id as account_id, account.kind, token.confined_to,
      ${statusColumns} ${fromValidToken(sql`token.hash = ${hash} and token.kind = ${kind}`)}`
)
/** Finds a token of a known owner. Few columns: the driver parses the description of each in every answer. */
const findStatus = statement<{ workspaceId: Id; hash: Buffer; kind: TokenKind }, TokenStatus>(
  import.meta,
  'findStatus',
  ({ workspaceId, hash, kind }) => sql`
    select ${statusColumns} ${fromValidToken(
      sql`token.workspace_id = ${workspaceId} and account.workspace_id = ${workspaceId}
        and token.hash = ${hash} and token.kind = ${kind}`
    )}`
)

interface TokenLoginOptions {
  database: Pick<Database, 'db' | 'readsTogether'>
  /** False: reads begin after the look-up of the token. */
  readsAhead: boolean
  now: () => Date
  scopes: () => readonly Scope[]
  log: FastifyBaseLogger
}

/** Starts reads that are sent together with the look-up of a token. */
export type StartReads = (owner: SignedIn, reads: Reader<CoreTables>) => void

export interface TokenLogin {
  /**
   * @param startReads called at once if the token's owner is known, while the token is looked up
   * @returns undefined when the token is malformed, unknown, revoked or expired
   */
  principalOf(token: string, kind?: TokenKind, startReads?: StartReads): Promise<Principal | undefined>
  /** Like `principalOf` for an access token, but undefined for one that only one route accepts. */
  principalOfAnyRoute(token: string): Promise<Principal | undefined>
  close(): Promise<void>
}

export function makeTokenLogin({ database, readsAhead, now, scopes, log }: TokenLoginOptions): TokenLogin {
  const touching = new Set<Promise<unknown>>()
  // Requests do not wait for it. At most once a minute for each token, in this process and over all replicas.
  function touch(known: KnownToken, kind: TokenKind, time: number): void {
    if (time - known.touchedAt <= TOUCH_EVERY_MS) return
    known.touchedAt = time
    const written = database.db
      .updateTable('token')
      .set({
        lastUsedAt: new Date(time),
        ...(kind === 'SESSION' && { expiresAt: new Date(time + SESSION_DAYS * 86_400_000) })
      })
      .where('workspaceId', '=', known.workspaceId)
      .where('id', '=', known.tokenId)
      .where(eb =>
        eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', sql<Date>`${new Date(time - TOUCH_EVERY_MS)}`)])
      )
      .execute()
      .catch((error: unknown) => {
        known.touchedAt = -Infinity
        log.warn({ err: error }, 'the last use of a token could not be stored')
      })
      .finally(() => touching.delete(written))
    touching.add(written)
  }

  const find = makeTokenSearch(database)
  const scopesOf = (kind: TokenOwner['kind'], granted: string[] | null): string[] =>
    kind === 'PERSON' ? namesOf(scopes()) : (granted ?? defaultScopes(scopes()))
  const login: TokenLogin = {
    async principalOf(token, kind = 'ACCESS', startReads) {
      if (!isWellFormedToken(token)) return undefined
      const valid = await find(hashToken(token), kind, readsAhead ? startReads : undefined)
      if (valid === undefined) return undefined
      const { workspaceId, accountId, tokenId, confinedTo, kind: accountKind } = valid.known
      const { expiresAt, role, fullname, scopes: granted } = valid.status
      const time = now().getTime()
      if (expiresAt !== null && expiresAt.getTime() <= time) return undefined
      touch(valid.known, kind, time)
      return {
        workspaceId,
        accountId,
        tokenId,
        kind: accountKind,
        role,
        fullname,
        scopes: scopesOf(accountKind, granted).filter(name => confinedTo?.scopes?.includes(name) ?? true),
        ...(confinedTo && { confinedTo })
      }
    },
    async principalOfAnyRoute(token) {
      const principal = await login.principalOf(token)
      return principal?.confinedTo?.audience === undefined ? principal : undefined
    },
    async close() {
      await Promise.all(touching)
    }
  }
  return login
}

/**
 * Finds tokens and caches their owners: on a distributed database, a look-up without the workspace would query every
 * shard. Validity is read each time.
 */
function makeTokenSearch(database: TokenLoginOptions['database']) {
  const cached = new LRUCache<string, KnownToken>({ max: MAX_CACHED })
  return async (
    hash: Buffer,
    kind: TokenKind,
    startReads?: StartReads
  ): Promise<{ known: KnownToken; status: TokenStatus } | undefined> => {
    const name = hash.toString('base64')
    const known = cached.get(name)
    if (known !== undefined) {
      const reads = database.readsTogether()
      const reading = findStatus(reads, { workspaceId: known.workspaceId, hash, kind })
      startReads?.(known, reads)
      const [status] = await reading
      if (status !== undefined) return { known, status }
      // So that the next look-up of an invalid token starts no reads.
      cached.delete(name)
      return undefined
    }
    const [row] = await findToken(database.db, { hash, kind })
    if (row === undefined) return undefined
    const { workspaceId, accountId, tokenId, kind: accountKind, confinedTo } = row
    // One of several concurrent first requests stores the use of the token.
    const added = cached.get(name) ?? {
      workspaceId,
      accountId,
      tokenId,
      kind: accountKind,
      confinedTo,
      touchedAt: -Infinity
    }
    cached.set(name, added)
    return { known: added, status: row }
  }
}

const namesOf = (scopes: readonly Scope[]) => scopes.map(({ name }) => name)
