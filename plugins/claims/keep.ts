import type { Id } from '../../core/api/database/types.ts'
import { problem, type Actor, type Caller } from '../../core/api/contract.ts'
import { conflict, preconditionFailed } from '../../core/api/errors.ts'
import { heldByOther } from '../issues/contract.ts'
import {
  isActive,
  isHolder,
  isLapsed,
  leaseOf,
  nextClaim,
  otherHolder,
  type Claim,
  type ClaimedIssue,
  type Transition
} from './claim.ts'
import type { Ctx, Trx } from './context.ts'
import { claimLapsed, claimRevived, claimTaken } from './contract.ts'
import { addLapses, addLostClaims, readClaims, removeLostClaim, writeClaims } from './queries/claims.ts'

/* Claims follow from assignee and state: issues call `issueChanges` in the transaction that writes these. */

const MAX_AT_ONCE = 1_000

export const claimLost = problem<{
  holder: { id: Id; fullname: string }
  session?: string
  since: string
  fence: number
}>(409, 'CLAIM_LOST')

const isExternal = ({ origin }: Caller): boolean => origin === 'import' || origin === 'git'

/** The transaction has locked the issues. */
export function claimsOf(ctx: Ctx, trx: Trx, caller: Caller, issueIds: readonly Id[]): Promise<ClaimedIssue[]> {
  const { workspaceId, accountId, session = '' } = caller
  return readClaims(trx, { workspaceId, issueIds, accountId, session, moved: ctx.use.database.movedTime() })
}
export const claimOf = async (ctx: Ctx, trx: Trx, caller: Caller, issueId: Id): Promise<ClaimedIssue> =>
  (await claimsOf(ctx, trx, caller, [issueId]))[0]!

/**
 * Refuses a write to an issue that the transaction has locked when `If-Claim` names another fence, or when the agent's
 * claim was taken from it, unless the write needs no claim (`needsNoClaim`).
 * @returns the claim, where it had to be read
 * @throws 409 CLAIM_LOST, 412
 */
export async function assertMayWrite(
  ctx: Ctx,
  trx: Trx,
  actor: Actor,
  issueId: Id,
  { needsNoClaim = false } = {}
): Promise<ClaimedIssue | undefined> {
  // Imports and commits report what has happened elsewhere; a person cannot lose a claim.
  if (isExternal(actor)) return undefined
  if (actor.claims === undefined && (needsNoClaim || actor.kind === 'PERSON')) return undefined
  const claimed = await claimOf(ctx, trx, actor, issueId)
  const { key, claim, lostAt } = claimed
  const fence = claim?.fence ?? 0
  if (actor.claims !== undefined) {
    if (actor.claims.fence === fence) return claimed
    throw preconditionFailed(
      `The claim of ${key} has the fence ${fence}, not ${actor.claims.fence}: read the issue again before you change ` +
        'it.',
      { fence }
    )
  }
  if (needsNoClaim || lostAt === null || claim === null || isHolder(claim, actor)) return claimed
  const { holder, session, since } = claim
  const has = isActive(claim) ? `${nameOf(claim)} has it since ${since.toISOString()}` : `${nameOf(claim)} had it since`
  throw claimLost(
    `${key} was taken from you at ${lostAt.toISOString()}, and ${has}: nothing was changed. Pick it up again before ` +
      'you go on, leave a note, or choose another one.',
    {
      holder: { id: holder.id, fullname: holder.fullname },
      ...(session !== null && { session }),
      since: since.toISOString(),
      fence
    }
  )
}

export const nameOf = ({ holder, session }: Claim): string =>
  session === null ? holder.fullname : `${holder.fullname} (session ${session})`

/**
 * Passes the claims of issues that the transaction has locked to their new holders, by assignee and state. A
 * write of the holder revives a claim that has lapsed.
 * @throws 409 when an agent would take an issue from a person
 */
export async function keepClaims(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  issueIds: readonly Id[],
  { isPickUp = false } = {}
): Promise<void> {
  for (let n = 0; n < issueIds.length; n += MAX_AT_ONCE) {
    const claimed = await claimsOf(ctx, trx, caller, issueIds.slice(n, n + MAX_AT_ONCE))
    await moveClaims(ctx, trx, caller, claimed, { isPickUp, takeover: true })
  }
}

/**
 * Like `keepClaims`, for claims that were read after their issues changed.
 * @param options.takeover the caller may take them from others
 * @throws 409 when an agent works on an issue that the caller takes away without `takeover`
 */
export async function moveClaims(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  claimed: readonly ClaimedIssue[],
  { isPickUp, takeover }: { isPickUp: boolean; takeover: boolean }
): Promise<void> {
  const change = { caller, lease: leaseOf(ctx), isPickUp }
  const changed = claimed.flatMap(one => {
    const next = nextClaim(one, change)
    if (next === undefined) return []
    assertLeftToPerson(one, next, caller)
    if (!takeover) assertLeftToAgent(one, next, caller)
    return [{ ...one, next }]
  })
  await write(ctx, trx, caller, changed)
}

type ChangedClaim = ClaimedIssue & { next: Transition }

/** An agent may close an issue that a person works on, but not take it away in any other way. */
function assertLeftToPerson(
  { key, claim, callerKind, isClosed, nextHolder }: ClaimedIssue,
  { claim: next }: Transition,
  caller: Caller
): void {
  if (callerKind !== 'AGENT' || isExternal(caller)) return
  if (!isActive(claim) || claim.holder.kind !== 'PERSON') return
  if (isClosed || (nextHolder !== null && next.fence === claim.fence)) return
  const { id, fullname } = claim.holder
  throw conflict(
    `${key} is held by ${fullname} since ${claim.since.toISOString()}, and an agent cannot take it from a person: ` +
      'ask them to hand it back, or choose another one.',
    { holder: { id, fullname }, since: claim.since.toISOString() }
  )
}

/** Refuses to take or end the active claim of another agent, unless the issue is closed. @throws 409 */
function assertLeftToAgent(claimed: ClaimedIssue, { claim: next, isTaken = false }: Transition, caller: Caller): void {
  const { key, claim, isClosed } = claimed
  if (isExternal(caller) || claim?.holder.kind !== 'AGENT' || otherHolder(claimed, caller) === undefined) return
  if (isTaken || (next.endedAt !== null && !isClosed)) {
    throw conflict(...heldByOther(key, { ...claim.holder, name: nameOf(claim), since: claim.since.toISOString() }))
  }
}

async function write(ctx: Ctx, trx: Trx, caller: Caller, changed: readonly ChangedClaim[]): Promise<void> {
  if (changed.length === 0) return
  const { workspaceId } = caller
  await writeClaims(
    trx,
    workspaceId,
    changed.map(({ id, next }) => ({ issueId: id, claim: next.claim }))
  )
  const lost = changed.filter(({ next }) => next.isLost)
  if (lost.length > 0) {
    const former = lost.map(({ id, claim }) => ({ issueId: id, accountId: claim!.holder.id, session: claim!.session }))
    await addLostClaims(trx, workspaceId, former, lost[0]!.at)
  }
  for (const { id, next } of changed) {
    if (!next.isRegained || next.claim.holder.kind !== 'AGENT') continue
    const { holder, session } = next.claim
    await removeLostClaim(trx, workspaceId, { issueId: id, accountId: holder.id, session })
  }
  const existing = changed.filter(({ claim }) => claim !== null).map(one => ({ ...one, claim: one.claim! }))
  await emitLapsed(
    ctx,
    trx,
    workspaceId,
    existing.filter(({ next }) => next.hasLapsed)
  )
  await ctx.emit(
    trx,
    claimRevived,
    caller,
    existing.flatMap(({ id, key, next }) => (next.isRevived ? [{ ...subject(id, key), data: dataOf(next.claim) }] : []))
  )
  await ctx.emit(
    trx,
    claimTaken,
    caller,
    existing.flatMap(({ id, key, claim, next, at }) => {
      if (!next.isTaken) return []
      const from = { holder: accountOf(claim), session: claim.session, lapsed: isLapsed(claim, at) }
      return [{ ...subject(id, key), data: { ...dataOf(next.claim), from } }]
    })
  )
}

const subject = (issueId: Id, key: string) => ({ subjectId: issueId, subjectKey: key, parentId: issueId })
const accountOf = ({ holder: { id, fullname } }: Claim) => ({ id, fullname })
const dataOf = (claim: Claim) => ({
  holder: accountOf(claim),
  session: claim.session,
  since: claim.since.toISOString(),
  fence: claim.fence
})

export async function emitLapsed(
  ctx: Ctx,
  trx: Trx,
  workspaceId: Id,
  lapsed: ReadonlyArray<{ id: Id; key: string; claim: Claim; at: Date }>
): Promise<void> {
  if (lapsed.length === 0) return
  await addLapses(
    trx,
    workspaceId,
    lapsed.map(({ id, claim, at }) => ({ issueId: id, at, holderId: claim.holder.id }))
  )
  await ctx.emit(
    trx,
    claimLapsed,
    ctx.asServer(workspaceId),
    lapsed.map(({ id, key, claim }) => ({
      ...subject(id, key),
      data: { ...dataOf(claim), expiresAt: claim.expiresAt!.toISOString() }
    }))
  )
}
