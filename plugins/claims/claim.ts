import type { Caller } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { OtherHolder } from '../issues/contract.ts'

/* Claims, and their transitions when issues change. No SQL here. */

interface Holder {
  id: Id
  fullname: string
  kind: 'PERSON' | 'AGENT'
}

export interface Claim {
  holder: Holder
  session: string | null
  since: Date
  expiresAt: Date | null
  lapsedAt: Date | null
  endedAt: Date | null
  isGivenBack: boolean
  fence: number
}

/** A claim as the caller sees it who changes the issue; times are those of the database's clock. */
export interface Claimed {
  claim: Claim | null
  /** When it was taken from the caller; null: never, or the caller has picked the issue up again since. */
  lostAt: Date | null
  /** The assignee while the state is STARTED; null: the claim ends. */
  nextHolder: Holder | null
  /** Its state is COMPLETED or CANCELED, or it is removed. */
  isClosed: boolean
  callerKind: 'PERSON' | 'AGENT' | null
  at: Date
}

export interface ClaimedIssue extends Claimed {
  id: Id
  key: string
}

type CallerSession = Pick<Caller, 'accountId' | 'session'>

export const isActive = (claim: Claim | null): claim is Claim => claim !== null && claim.endedAt === null
export const isLapsed = ({ expiresAt }: Claim, at: Date): boolean => expiresAt !== null && expiresAt <= at

const MAX_RENEWAL_INTERVAL_MS = 60_000
/** Renewals of an active holder's claim within its duration, at least. */
const MIN_RENEWALS = 4

export interface Lease {
  durationMs: number
  renewalIntervalMs: number
}
export const leaseOf = ({ settings }: { settings: { claimMinutes: number } }): Lease => {
  const durationMs = settings.claimMinutes * 60_000
  return { durationMs, renewalIntervalMs: Math.min(MAX_RENEWAL_INTERVAL_MS, durationMs / MIN_RENEWALS) }
}
export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** True if the account matches, and the session too where both have one. */
export const isHolder = ({ holder, session }: Claim, caller: CallerSession): boolean =>
  holder.id === caller.accountId && (session === null || caller.session === undefined || session === caller.session)

export interface Transition {
  claim: Claim
  /** It expired, and `claim.lapsed` was not emitted yet. */
  hasLapsed?: boolean
  isRevived?: boolean
  isTaken?: boolean
  /** A late write of the former holder is refused from now on. */
  isLost?: boolean
  /** A former loss of the new holder no longer counts. */
  isRegained?: boolean
}

export interface Change {
  caller: CallerSession
  lease: Lease
  /** The caller picks the issue up: then another session of the same account counts as another holder. */
  isPickUp: boolean
}

/** Undefined if it has lapsed, or is the caller's. */
export function otherHolder({ claim, at }: Claimed, caller: CallerSession): OtherHolder | undefined {
  if (!isActive(claim) || isLapsed(claim, at) || isHolder(claim, caller)) return undefined
  const { id, fullname } = claim.holder
  return { id, fullname, ...(claim.session !== null && { session: claim.session }) }
}

/** After its issue changed or its holder wrote to it; undefined: it stays the same. */
export function nextClaim({ claim, nextHolder, at }: Claimed, change: Change): Transition | undefined {
  const { caller, lease, isPickUp } = change
  const agentExpiresAt = after(at, lease.durationMs)
  const unannounced = isActive(claim) && isLapsed(claim, at) && claim.lapsedAt === null
  if (nextHolder === null) {
    if (!isActive(claim)) return undefined
    return { claim: { ...claim, endedAt: at, isGivenBack: isHolder(claim, caller) }, hasLapsed: unannounced }
  }
  const isAgent = nextHolder.kind === 'AGENT'
  const session = (isAgent && nextHolder.id === caller.accountId ? caller.session : undefined) ?? null
  const fresh = {
    holder: nextHolder,
    session,
    since: at,
    expiresAt: isAgent ? agentExpiresAt : null,
    lapsedAt: null,
    endedAt: null,
    isGivenBack: false
  }
  if (claim === null) return { claim: { ...fresh, fence: 1 } }
  const isSame =
    claim.holder.id === nextHolder.id &&
    (isHolder(claim, { accountId: nextHolder.id, ...(session !== null && { session }) }) ||
      (isActive(claim) && !isPickUp))
  if (!isSame) {
    return {
      claim: { ...fresh, fence: claim.fence + 1 },
      hasLapsed: unannounced,
      isTaken: isActive(claim),
      isLost: claim.holder.kind === 'AGENT' && !claim.isGivenBack && !isHolder(claim, caller),
      isRegained: true
    }
  }
  if (claim.endedAt !== null) return { claim: { ...fresh, fence: claim.fence }, isRegained: true }
  if (claim.expiresAt === null || !isHolder(claim, caller)) return undefined
  const renewed = { ...claim, lapsedAt: null, expiresAt: agentExpiresAt }
  if (isLapsed(claim, at)) return { claim: renewed, hasLapsed: unannounced, isRevived: true }
  const isDue = claim.expiresAt <= after(agentExpiresAt, -lease.renewalIntervalMs)
  return isDue ? { claim: renewed } : undefined
}
