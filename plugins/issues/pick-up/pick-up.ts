import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { conflict } from '../../../core/api/errors.ts'
import { isClosed } from '../../workspace/contract.ts'
import type { Trx } from '../context.ts'
import { ownFields } from '../fields/fields.ts'
import { heldByOther } from '../issue-changes.ts'
import type { Named } from '../queries/read/lookup.ts'
import { reasonsNotReady } from '../queries/read/readiness.ts'
import { lockBestReady, type ReadyQuery } from '../queries/read/ready.ts'
import { lockIssue, type LockedIssue } from '../queries/write/write.ts'
import type { Writer } from '../queries/write/writer.ts'
import { Diff, setState, writeChange } from '../write/changes.ts'
import { holderOf } from '../write/participants.ts'
import { teamWithStates } from '../write/update.ts'
import { hasRemovedAssignee } from './queries.ts'

/**
 * Assigns an issue to the caller and moves it to the team's first STARTED state, unless it is in one.
 * Callers wait for each other at the row's lock, so that exactly one finds it free.
 * @throws 409 when somebody else has it, or it is closed
 */
export async function pickUpIssue(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  issueId: Id,
  takeover: boolean
): Promise<void> {
  const { accountId, fullname } = principal
  const issue = await lockIssue(trx, principal.workspaceId, issueId, [])
  if (isClosed(issue.state.category)) {
    throw conflict(
      `${issue.key} is closed (${issue.state.name}): reopen it by moving it to another state, or pick up another one.`,
      { state: issue.state }
    )
  }
  if (!takeover && issue.assignee !== null) await assertNotHeld(writer, trx, principal, issue.assignee, issue)
  const diff = new Diff()
  const at = writer.ctx.now()
  diff.setReference(ownFields.assignee, issue.assignee, { id: accountId, name: fullname }, at)
  if (issue.state.category !== 'STARTED') {
    const { states } = await teamWithStates(trx, principal, issue.team.id)
    const started = states.find(({ category }) => category === 'STARTED')
    if (!started) throw conflict('The team has no state of the category STARTED: add one first.')
    setState(diff, issue, started, at)
  }
  await writeChange(writer, trx, principal, issueId, diff, { key: issue.key, isPickUp: true })
}

/** @throws 409 when somebody else works on the issue, or it is assigned to somebody else who was not removed */
async function assertNotHeld(
  { ctx }: Writer,
  trx: Trx,
  principal: Principal,
  assignee: Named,
  { id: issueId, key, assignedAt }: LockedIssue
): Promise<void> {
  const holder = await holderOf(ctx, principal, trx, issueId)
  if (holder) {
    if (holder.isCaller || holder.hasLapsed) return
    throw conflict(...heldByOther(key, holder))
  }
  const { id, name } = assignee
  if (id === principal.accountId || (await hasRemovedAssignee(trx, principal.workspaceId, issueId))) return
  const since = assignedAt && new Date(assignedAt).toISOString()
  throw conflict(...heldByOther(key, { id, fullname: name, name, since }))
}

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
    const reasonsAgainst = await reasonsNotReady(trx, workspaceId, id, { asker, at, reasons })
    if (reasonsAgainst.length === 0) {
      await pickUpIssue(writer, trx, principal, id, false)
      return id
    }
    skipped.push(id)
  }
}
