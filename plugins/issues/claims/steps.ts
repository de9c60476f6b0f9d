import { sql } from 'kysely'
import type { Principal } from '../../../core/contract.ts'
import type { Id } from '../../../core/db/tables.ts'
import { conflict, invalid } from '../../../core/errors.ts'
import { Diff, setState, writeChange, type Trx, type Writer } from '../changes.ts'
import type { NoteWriter } from '../contract.ts'
import { ownFields } from '../fields.ts'
import type { State } from '../queries/lookup.ts'
import { lockIssue, type LockedIssue } from '../queries/write.ts'
import { reasonsNotReady } from '../readiness.ts'
import { pickUpIssue } from '../update.ts'
import { isActive, isHolder, type Claim } from './claim.ts'
import { agentExpiry, assertMayWrite, claimOf, keepClaims, nameOf } from './keep.ts'
import { writeClaims } from './queries.ts'
import { lockBestReady, type ReadyQuery } from './ready.ts'

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
  const passedOver: Id[] = []
  for (;;) {
    const id = await lockBestReady(trx, query, passedOver)
    if (id === undefined) return undefined
    // It may have become unready between the query and the lock.
    const hindrances = await reasonsNotReady(trx, workspaceId, id, { asker, at, contributed: reasons })
    if (hindrances.length === 0) {
      await pickUpIssue(writer, trx, principal, id, false)
      return id
    }
    passedOver.push(id)
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
  const { key, claim } = await claimOf(writer, trx, principal, issueId)
  if (!isActive(claim) || !isHolder(claim, principal)) {
    const whose = isActive(claim) ? `it is ${nameOf(claim)}’s` : 'nobody works on it'
    throw conflict(`You have no claim of ${key}, ${whose}: pick it up first.`)
  }
  if (claim.expiresAt === null) return claim
  const { ctx } = writer
  const asked = minutes === undefined ? agentExpiry(ctx) : new Date(ctx.now().getTime() + minutes * 60_000)
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
  const state = await stateBefore(trx, principal.workspaceId, issue)
  if (state) setState(diff, issue, state, at)
  await writeChange(writer, trx, principal, issueId, diff, { key: issue.key })
  if (note !== undefined) await writeNote!(principal, trx, issueId, note)
}

/** The state from which an issue was begun, or else the first that is to do; undefined: it is not in progress. */
async function stateBefore(trx: Trx, workspaceId: Id, { id, state, team }: LockedIssue): Promise<State | undefined> {
  if (state.category !== 'STARTED') return undefined
  // Raw: its order is made of conditions.
  const { rows } = await sql<State>`
    select s.id, s.name, s.category from workflow_state s
    where s.workspace_id = ${workspaceId} and s.team_id = ${team.id} and s.deleted_at is null
      and s.category in ('UNSTARTED', 'BACKLOG')
    order by s.name is not distinct from (
        select h.from_name from issue_change h
        where h.workspace_id = ${workspaceId} and h.issue_id = ${id} and h.change = 'state'
        order by h.at desc, h.id desc limit 1) desc,
      s.category = 'UNSTARTED' desc, s.position, s.id limit 1`.execute(trx)
  return rows[0]
}
