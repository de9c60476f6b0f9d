import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { conflict, notFound } from '../../../core/api/errors.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import { authorOf, type Writer } from '../queries/write/writer.ts'
import type { Trx } from '../context.ts'
import { assertComplete, Diff, recordRevisions, setState, writeChange } from './changes.ts'
import { issueDeleted } from '../contract.ts'
import { ownFields, referencesOf } from '../fields/fields.ts'
import { lockGraph, lockWithSubIssues } from '../queries/write/locks.ts'
import { emptyReferences, lookUp, type State, type TeamWithStates } from '../queries/read/lookup.ts'
import { detachSubIssues, keepFormerKey, markRemoved } from '../queries/write/moves.ts'
import { takeNumbers } from '../queries/write/insert.ts'
import { lockIssue, recordChanges, updateIssuesOfState, type Change } from '../queries/write/write.ts'
import type { Move } from '../schemas.ts'
import { afterCompletion, afterMoves, assertMayChange, beforeMove } from './participants.ts'

const CHANGES_BATCH_SIZE = 1000

/**
 * Moves an issue to another team: a new number there, the state that corresponds; the old key still finds it.
 * @throws 404; 409 when the issue is completed, and the team asks more of its criteria than the one that it leaves
 */
export async function moveIssue(
  writer: Writer,
  principal: Principal,
  issueId: Id,
  { teamId: teamRef, override = false, takeover = false }: Move
): Promise<void> {
  const { ctx, fields } = writer
  const { workspaceId } = principal
  const references = emptyReferences()
  references.teams.set(teamRef, null)
  const team = (await lookUp(ctx.db, principal, references)).team(teamRef)
  const number = await takeNumbers(ctx.db, workspaceId, team.id, 1)
  const ofTeam = referencesOf(['team'], fields)
  await ctx.transaction(async trx => {
    const issue = await lockIssue(trx, workspaceId, issueId, ofTeam, { keyChanges: true })
    if (issue.team.id === team.id) {
      await assertMayChange(ctx, principal, trx, issueId)
      return
    }
    const isStricter = await beforeMove(ctx, principal, trx, { key: issue.key, teamId: issue.team.id }, team.id)
    const state = correspondingState(team, issue.state)
    if (!state) throw conflict(`The team ${team.identifier} has no workflow states: add one first.`)
    const diff = new Diff()
    const at = ctx.now()
    diff.setReference(ownFields.team, issue.team, team, at)
    diff.columns['number'] = number
    setState(diff, issue, state, at)
    for (const field of ofTeam) diff.clearReference(field, issue, at)
    await keepFormerKey(trx, workspaceId, issueId, issue.key, at)
    await writeChange(writer, trx, principal, issueId, diff, { takeover })
    if (state.category === 'COMPLETED' && isStricter) {
      await assertComplete(writer, trx, principal, issueId, { at: null, override })
    }
  })
}

/** Removes an issue, whose row stays for its history; its sub-issues become issues of their own. @throws 404 */
export async function removeIssue(writer: Writer, trx: Trx, principal: Principal, issueId: Id): Promise<void> {
  const { workspaceId } = principal
  const author = authorOf(writer, principal)
  await lockGraph(trx, workspaceId)
  await lockWithSubIssues(trx, workspaceId, issueId)
  const issue = await lockIssue(trx, workspaceId, issueId, [])
  await assertMayChange(writer.ctx, principal, trx, issueId)
  const detached = await detachSubIssues(trx, workspaceId, issueId, author)
  const removed = await markRemoved(trx, workspaceId, issueId, author)
  if (!removed) throw notFound('issue', issueId)
  const values = { from: { id: issueId, name: issue.key }, to: null }
  const change: Change = { change: 'parent', from: issue.key, to: null, values }
  const { rev } = removed
  await recordChanges(trx, workspaceId, author, [{ issueId, rev, change: 'deleted', from: null, to: null }])
  await writer.ctx.emit(trx, issueDeleted, principal, [
    { subjectId: issueId, subjectKey: issue.key, parentId: issueId, rev, data: { title: issue.title } }
  ])
  await recordRevisions(writer, trx, principal, author, detached, () => [change])
  await afterMoves(writer.ctx, principal, trx, [issueId])
}

export async function recategorizeIssues(
  writer: Writer,
  trx: Trx,
  principal: Principal,
  { stateId, from, to }: { stateId: Id; from: StateCategory; to: StateCategory }
): Promise<void> {
  const { workspaceId } = principal
  const author = authorOf(writer, principal)
  const changed = await updateIssuesOfState(trx, workspaceId, stateId, author)
  for (let n = 0; n < changed.length; n += CHANGES_BATCH_SIZE) {
    const revisions = changed.slice(n, n + CHANGES_BATCH_SIZE)
    await recordRevisions(writer, trx, principal, author, revisions, () => [{ change: 'stateCategory', from, to }])
  }
  const ids = changed.map(({ id }) => id).toSorted()
  await afterMoves(writer.ctx, principal, trx, ids)
  if (to === 'COMPLETED') await afterCompletion(writer.ctx, principal, trx, ids, { at: author.at, override: false })
}

/** The state of another team that is most like this one: of the same category and name, or else of the category. */
export function correspondingState({ states }: TeamWithStates, { name, category }: State): State | undefined {
  const alike = states.filter(state => state.category === category)
  return (
    alike.find(state => state.name.toLowerCase() === name.toLowerCase()) ??
    alike[0] ??
    states.find(state => state.category === 'UNSTARTED') ??
    states[0]
  )
}
