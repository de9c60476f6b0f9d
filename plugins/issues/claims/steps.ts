import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { conflict, invalid } from '../../../core/api/errors.ts'
import { Diff, setState, writeChange, type Trx, type Writer } from '../write/changes.ts'
import type { NoteWriter } from '../contract.ts'
import { ownFields } from '../fields/fields.ts'
import { lockIssue } from '../queries/write/write.ts'
import { reasonsNotReady } from '../queries/read/readiness.ts'
import { pickUpIssue } from '../write/update.ts'
import { after, isActive, isHolder, leaseOf, type Claim } from './claim.ts'
import { assertMayWrite, claimOf, keepClaims, nameOf } from './keep.ts'
import { stateBeforeStart, writeClaims } from './queries.ts'
import { lockBestReady, type ReadyQuery } from '../queries/read/ready.ts'

/*
 * What a holder does with a claim: takes the best one, renews it, gives it back.
 */

/** @returns the best ready issue, which is now the caller's; undefined when there is none */
export async function pickUpNext(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  query: ReadyQuery
): Promise<Id | undefined> {
  const { workspaceId, asker, at, reasons } = query
  const skipped: Id[] = []
  for (;;) {
    const id = await lockBestReady(trx, query, skipped)
    if (id === undefined) return undefined
    // It may have become unready between the query and the lock.
    const reasonsAgainst = await reasonsNotReady(trx, workspaceId, id, { asker, at, contributed: reasons })
    if (reasonsAgainst.length === 0) {
      await pickUpIssue(writer, trx, principal, id, false)
      return id
    }
    skipped.push(id)
  }
}

/** Extends the caller's claim. @returns the claim @throws 409 when it is not the caller's, 412 */
export async function renewClaim(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  issueId: Id,
  minutes: number | undefined
): Promise<Claim> {
  const { workspaceId } = principal
  await lockIssue(trx, workspaceId, issueId, [])
  await assertMayWrite(writer, trx, principal, issueId)
  // Revives it, if it has lapsed.
  await keepClaims(writer, trx, principal, [issueId])
  const { key, claim, at } = await claimOf(writer, trx, principal, issueId)
  if (!isActive(claim) || !isHolder(claim, principal)) {
    const whose = isActive(claim) ? `it is ${nameOf(claim)}’s` : 'nobody works on it'
    throw conflict(`You have no claim of ${key}, ${whose}: pick it up first.`)
  }
  if (claim.expiresAt === null) return claim
  const asked = after(at, minutes === undefined ? leaseOf(writer.ctx).durationMs : minutes * 60_000)
  const renewed = { ...claim, expiresAt: asked > claim.expiresAt ? asked : claim.expiresAt }
  await writeClaims(trx, workspaceId, [{ issueId, claim: renewed }])
  return renewed
}

/**
 * Gives an issue back: it has no assignee then, and the state from before it was begun.
 * @throws 400 for a note when there are no comments, 409 when the caller does not have it, 412
 */
export async function releaseIssue(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  issueId: Id,
  { note, writers }: { note: string | undefined; writers: readonly NoteWriter[] }
): Promise<void> {
  const [writeNote] = writers
  if (note !== undefined && writeNote === undefined) {
    throw invalid('This server has no comments: release the issue without a note.', { field: 'note' })
  }
  const issue = await lockIssue(trx, principal.workspaceId, issueId, [])
  await assertMayWrite(writer, trx, principal, issueId)
  const { claim } = await claimOf(writer, trx, principal, issueId)
  const isOwn = isActive(claim) ? isHolder(claim, principal) : issue.assignee?.id === principal.accountId
  if (issue.assignee === null || (!isOwn && principal.kind === 'AGENT')) {
    const whose = isActive(claim) ? nameOf(claim) : issue.assignee?.name
    throw conflict(
      whose === undefined
        ? `Nobody has ${issue.key}: there is nothing to give back.`
        : `${issue.key} is held by ${whose}: only they, or a person, can give it back.`
    )
  }
  const diff = new Diff()
  const at = writer.ctx.now()
  diff.setReference(ownFields.assignee, issue.assignee, null, at)
  const isStarted = issue.state.category === 'STARTED'
  const state = isStarted ? await stateBeforeStart(trx, principal.workspaceId, issueId, issue.team.id) : undefined
  if (state) setState(diff, issue, state, at)
  // An agent has only its own to give back; a person may take it from an agent, which is what this is for.
  await writeChange(writer, trx, principal, issueId, diff, { key: issue.key, takeover: true })
  if (note !== undefined) await writeNote!(principal, trx, issueId, note)
}
