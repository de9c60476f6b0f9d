import {
  hashToken,
  insertToken,
  isWellFormedToken,
  newToken,
  renewToken,
  type accountDeleted
} from '../../../core/api/accounts.ts'
import type { Caller } from '../../../core/api/contract.ts'
import { isId } from '../../../core/api/database/queries.ts'
import type { Handled, LoggedEventOf } from '../../../core/api/events.ts'
import type { Ctx, Trx } from '../context.ts'
import { grantRevoked, oauth, type RevocationReason } from '../contract.ts'
import { AUDIENCE } from '../protocol/addresses.ts'
import { keepClient } from '../queries/clients.ts'
import {
  connectGrant,
  endGrant,
  findExpiredToken,
  findGrantOfToken,
  listGrantsOf,
  lockGrant,
  type Grant,
  type GrantRef
} from '../queries/grants.ts'
import { findRefreshToken, insertRefreshToken } from '../queries/secrets.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ACCESS_TOKEN_MS = HOUR_MS
/** Milliseconds after its last use at which a connection expires. */
const REFRESH_TOKEN_MS = 30 * DAY_MS
/** Longer than the refresh tokens of its grants. */
const CLIENT_MS = 90 * DAY_MS

export interface IssuedTokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** The transaction has locked the grant. */
export async function issueTokens(ctx: Ctx, trx: Trx, grant: Grant): Promise<IssuedTokens> {
  const { workspaceId, id: grantId, clientId, scopes } = grant
  const at = ctx.now()
  const refreshToken = newToken()
  const expiresAt = new Date(at.getTime() + REFRESH_TOKEN_MS)
  await connectGrant(trx, grant, at, expiresAt)
  await insertRefreshToken(trx, { workspaceId, hash: hashToken(refreshToken), grantId, expiresAt })
  if (isId(clientId)) await keepClient(trx, clientId, new Date(at.getTime() + CLIENT_MS))
  return {
    access_token: await makeAccessToken(trx, grant, at),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_MS / 1000,
    refresh_token: refreshToken,
    scope: scopes.join(' ')
  }
}

/** An expired token of the grant gives its row to the next: a connection of years has as few rows as one of hours. */
async function makeAccessToken(trx: Trx, grant: Grant, at: Date): Promise<string> {
  const { workspaceId, accountId, id: subjectId, clientName, scopes } = grant
  const expiresAt = new Date(at.getTime() + ACCESS_TOKEN_MS)
  const expired = await findExpiredToken(trx, grant, at)
  if (expired) return renewToken(trx, workspaceId, expired.id, expiresAt)
  const confinedTo = { plugin: oauth.name, subjectId, audience: AUDIENCE, scopes }
  const { token } = await insertToken(trx, workspaceId, { accountId, name: clientName, expiresAt, confinedTo })
  return token
}

export async function revokeGrant(
  { emit, now }: Pick<Ctx, 'emit' | 'now'>,
  trx: Trx,
  caller: Caller,
  grant: Grant,
  reason: RevocationReason
): Promise<void> {
  await endGrant(trx, grant, now())
  const { id, accountId: agentId, clientName: client, redirectHost } = grant
  await emit(trx, grantRevoked, caller, [{ subjectId: id, data: { agentId, client, redirectHost, reason } }])
}

/** Undefined for what is neither an access nor a refresh token. */
export async function grantOfToken({ db }: Ctx, token: string): Promise<GrantRef | undefined> {
  if (!isWellFormedToken(token)) return undefined
  const hash = hashToken(token)
  return (await findRefreshToken(db, hash)) ?? (await findGrantOfToken(db, hash))
}

export async function revokeGrants(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  grantIds: readonly string[],
  reason: RevocationReason
): Promise<void> {
  for (const grantId of grantIds) {
    const grant = await lockGrant(trx, { workspaceId: caller.workspaceId, grantId })
    if (grant) await revokeGrant(ctx, trx, caller, grant, reason)
  }
}

export async function endGrantsOfRemoved(
  events: ReadonlyArray<LoggedEventOf<typeof accountDeleted>>,
  ctx: Ctx
): Promise<Handled> {
  for (const { workspaceId, subject } of events) {
    const grants = await listGrantsOf(ctx.db, workspaceId, { anyOf: subject.id })
    const grantIds = grants.map(({ id }) => id)
    await ctx.transaction(trx => revokeGrants(ctx, trx, ctx.asServer(workspaceId), grantIds, 'ACCOUNT_REMOVED'))
  }
}
