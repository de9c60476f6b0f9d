import { sql, type Transaction } from 'kysely'
import type { Caller, Principal } from '../../core/contract.ts'
import type { Id } from '../../core/db/tables.ts'
import { conflict, invalid, notFound, overloaded, preconditionFailed } from '../../core/errors.ts'
import { conversions, type RichText } from '../../core/text/conversions.ts'
import type { StateCategory } from '../workspace/contract.ts'
import { issueDeleted, issueUpdated, type IssueReference, type IssuesDatabase } from './contract.ts'
import { referenceOf, stateOf, wantReferences } from './create.ts'
import { isDescribed } from './description.ts'
import type { Ctx } from './context.ts'
import { refuseParentCircle } from './queries/circles.ts'
import { lockGraph, lockWithSubIssues } from './queries/locks.ts'
import { lookUp, wantNothing, type State, type TeamWithStates } from './queries/lookup.ts'
import {
  hasDescription,
  keyOf,
  lockIssue,
  recordChanges,
  setLabels,
  storedDescription,
  takeNumbers,
  updateIssue,
  updateIssuesOfState,
  type Author,
  type Change,
  type LockedIssue,
  type Revision
} from './queries/write.ts'
import { PRIORITIES } from './priorities.ts'
import type { Patch } from './schemas.ts'

type Trx = Transaction<IssuesDatabase>

/** Rows of one statement, where there may be any number of them. */
const CHANGES_AT_ONCE = 1000
const isClosed = (state: State) => state.category === 'COMPLETED' || state.category === 'CANCELED'

/** The columns to set and what the history says of them. */
interface Diff {
  columns: Record<string, unknown>
  changes: Change[]
  addLabels: Id[]
  removeLabels: Id[]
}
const noDiff = (): Diff => ({ columns: {}, changes: [], addLabels: [], removeLabels: [] })

/** A reference as events tell it. */
const named = (reference: { id: Id; name: string } | null) => reference && { id: reference.id, name: reference.name }

/** The event of a change. */
const updateOf = ({ id, key, rev }: Revision, changes: readonly Change[]) => ({
  subjectId: id,
  subjectKey: key,
  issueId: id,
  rev,
  data: { changes: changes.map(({ change: field, from, to, values = { from, to } }) => ({ field, ...values })) }
})

/** Checklist items to tick and untick, by number or text. */
export interface Ticks {
  met?: ReadonlyArray<number | string> | undefined
  unmet?: ReadonlyArray<number | string> | undefined
}

/** Ends a transaction, because the description is not the one that was ticked. */
class Changed extends Error {
  readonly description: string
  constructor(description: string) {
    super('The description is not the one that was ticked.')
    this.description = description
  }
}

/** How often a long description is ticked anew, because somebody else has changed it meanwhile. */
const MAX_TICK_ATTEMPTS = 5

/** Who changes an issue: the account of a request, or the one in whose place the server does it. */
type Actor = Caller & { readonly accountId: Id }

/** Changes to issues: each locks the row, compares, writes what differs with its history, and emits. */
export function makeUpdates(ctx: Ctx, references: readonly IssueReference[]) {
  const authorOf = ({ accountId, tokenId }: Actor): Author => ({ accountId, tokenId, at: ctx.now() })

  async function write(
    trx: Trx,
    principal: Actor,
    issueId: Id,
    { columns, changes, addLabels, removeLabels }: Diff
  ): Promise<boolean> {
    if (changes.length === 0) return false
    const { workspaceId } = principal
    const author = authorOf(principal)
    const revision = await updateIssue(trx, workspaceId, issueId, author, columns)
    await setLabels(trx, workspaceId, issueId, addLabels, removeLabels)
    await recordChanges(
      trx,
      workspaceId,
      author,
      changes.map(change => ({ issueId, ...change }))
    )
    await ctx.emit(trx, issueUpdated, principal, [updateOf(revision, changes)])
    return true
  }

  function setState(diff: Diff, issue: LockedIssue, state: State): void {
    if (state.id === issue.state.id) return
    diff.columns['state_id'] = state.id
    diff.changes.push({
      change: 'state',
      from: issue.state.name,
      to: state.name,
      values: { from: named(issue.state), to: named(state) }
    })
  }
  function setAssignee(diff: Diff, issue: LockedIssue, assignee: { id: Id; name: string } | null): void {
    if ((assignee?.id ?? null) === (issue.assignee?.id ?? null)) return
    diff.columns['assignee_id'] = assignee?.id ?? null
    diff.columns['assigned_at'] = assignee ? ctx.now() : null
    diff.changes.push({
      change: 'assignee',
      from: issue.assignee?.name ?? null,
      to: assignee?.name ?? null,
      values: { from: named(issue.assignee), to: named(assignee) }
    })
  }
  async function setDescription(
    trx: Trx,
    workspaceId: Id,
    diff: Diff,
    issue: LockedIssue,
    text: RichText,
    title = issue.title
  ): Promise<void> {
    if (await hasDescription(trx, workspaceId, issue.id, text.json)) return
    Object.assign(diff.columns, {
      description: text.json,
      description_markdown: text.markdown,
      described: isDescribed(text, title),
      criteria_met: text.criteria.met,
      criteria_total: text.criteria.total
    })
    diff.changes.push({ change: 'description', from: null, to: null, values: {} })
  }
  function setLabelsOf(diff: Diff, issue: LockedIssue, wanted: ReadonlyMap<Id, string>): void {
    for (const [id, name] of wanted) {
      if (issue.labels.some(label => label.id === id)) continue
      diff.addLabels.push(id)
      diff.changes.push({ change: 'label', from: null, to: name, values: { from: null, to: { id, name } } })
    }
    for (const { id, name } of issue.labels) {
      if (wanted.has(id)) continue
      diff.removeLabels.push(id)
      diff.changes.push({ change: 'label', from: name, to: null, values: { from: { id, name }, to: null } })
    }
  }

  return {
    /**
     * Applies a patch, but for its description; fields that are not in it stay.
     * @param text the new description, converted: that takes too long for a transaction
     * @param ifRev refuse unless the issue is still at this revision
     * @throws 400, 404, 409 or 412
     */
    async patch(
      trx: Trx,
      principal: Actor,
      issueId: Id,
      patch: Patch,
      { text, ifRev }: { text?: RichText | undefined; ifRev?: number | undefined } = {}
    ): Promise<void> {
      const { workspaceId } = principal
      const wanted = wantNothing()
      if (patch.parentId != null) wanted.issues.add(patch.parentId)
      if (patch.assigneeId != null) wanted.accounts.add(patch.assigneeId)
      for (const id of [...(patch.labelIds ?? []), ...(patch.addLabelIds ?? [])]) wanted.labels.add(id)
      wantReferences(wanted, patch, references)
      if (patch.parentId != null) await lockGraph(trx, workspaceId)
      const issue = await lockIssue(trx, workspaceId, issueId, references)
      if (ifRev !== undefined && ifRev !== issue.rev) {
        throw preconditionFailed(
          `${issue.key} is at revision ${issue.rev}, not ${ifRev}: read it again, and repeat the change on what it says now.`,
          { rev: issue.rev }
        )
      }
      if (patch.stateId !== undefined) wanted.teams.add(issue.team.id)
      const found = await lookUp(trx, workspaceId, wanted, references)

      const diff = noDiff()
      if (patch.title !== undefined && patch.title !== issue.title) {
        diff.columns['title'] = patch.title
        diff.changes.push({ change: 'title', from: issue.title, to: patch.title })
      }
      if (text) await setDescription(trx, workspaceId, diff, issue, text, patch.title)
      if (patch.stateId !== undefined) setState(diff, issue, stateOf(found.team(issue.team.id), patch.stateId))
      if (patch.assigneeId !== undefined) {
        setAssignee(diff, issue, patch.assigneeId === null ? null : found.account(patch.assigneeId))
      }
      if (patch.priority !== undefined && patch.priority !== issue.priority) {
        diff.columns['priority'] = patch.priority
        diff.changes.push({
          change: 'priority',
          from: PRIORITIES[issue.priority] ?? null,
          to: PRIORITIES[patch.priority] ?? null,
          values: { from: issue.priority, to: patch.priority }
        })
      }
      const scalars = [
        ['estimate', 'estimate'],
        ['dueDate', 'due_date'],
        ['sortOrder', 'sort_order']
      ] as const
      for (const [field, column] of scalars) {
        const value = patch[field]
        if (value === undefined || value === issue[field]) continue
        diff.columns[column] = value
        diff.changes.push({
          change: field,
          from: issue[field] === null ? null : String(issue[field]),
          to: value === null ? null : String(value),
          values: { from: issue[field], to: value }
        })
      }
      if (patch.parentId !== undefined) {
        const parent = patch.parentId === null ? null : found.issue(patch.parentId)
        if ((parent?.id ?? null) !== (issue.parent?.id ?? null)) {
          if (parent) await refuseParentCircle(trx, workspaceId, issue.id, parent.id)
          diff.columns['parent_id'] = parent?.id ?? null
          diff.changes.push({
            change: 'parent',
            from: issue.parent?.name ?? null,
            to: parent?.key ?? null,
            values: { from: named(issue.parent), to: parent && { id: parent.id, name: parent.key } }
          })
        }
      }
      for (const reference of references) {
        if (patch[reference.field] === undefined) continue
        const before = issue.references[reference.key] ?? null
        const id = referenceOf(found, reference, patch[reference.field])
        if (id === (before?.id ?? null)) continue
        diff.columns[reference.column] = id
        const after = id === null ? null : found.reference(reference.key, id)
        diff.changes.push({
          change: reference.key,
          from: before?.name ?? null,
          to: after?.name ?? null,
          values: { from: named(before), to: named(after) }
        })
      }
      if (patch.labelIds ?? patch.addLabelIds ?? patch.removeLabelIds) {
        const labels = new Map(
          (patch.labelIds ? patch.labelIds.map(id => found.label(id)) : issue.labels).map(label => [
            label.id,
            label.name
          ])
        )
        for (const id of patch.addLabelIds ?? []) labels.set(found.label(id).id, found.label(id).name)
        for (const id of patch.removeLabelIds ?? []) labels.delete(id.toLowerCase())
        setLabelsOf(diff, issue, labels)
      }
      await write(trx, principal, issueId, diff)
    },

    /**
     * Moves an issue to a state of its team.
     * @throws 400, 404; 409 when it is to be closed and is closed already
     */
    async setState(trx: Trx, principal: Principal, issueId: Id, stateId: Id): Promise<void> {
      const { workspaceId } = principal
      const issue = await lockIssue(trx, workspaceId, issueId, references)
      const wanted = wantNothing()
      wanted.teams.add(issue.team.id)
      const state = stateOf((await lookUp(trx, workspaceId, wanted, references)).team(issue.team.id), stateId)
      if (isClosed(issue.state) && isClosed(state)) {
        throw conflict(
          `${issue.key} is already closed (${issue.state.name}): nothing was changed. To say more, add a note without a state.`,
          { state: issue.state }
        )
      }
      const diff = noDiff()
      setState(diff, issue, state)
      await write(trx, principal, issueId, diff)
    },

    /**
     * Ticks checklist items of the stored description and touches nothing else. What is too long for the event loop is
     * ticked between two transactions: no other request waits for it.
     * @param also runs first in the transaction that ticks
     * @throws 400 that lists the items, 503 when others go on changing the description
     */
    async criteria(
      principal: Principal,
      issueId: Id,
      { met = [], unmet = [] }: Ticks,
      also: (trx: Trx) => Promise<void> = async () => {}
    ): Promise<void> {
      const { workspaceId } = principal
      let before: string | undefined
      let after: RichText | undefined
      for (let attempt = 1; attempt <= MAX_TICK_ATTEMPTS; attempt++) {
        const changed = await ctx
          .transaction(async trx => {
            await also(trx)
            const issue = await lockIssue(trx, workspaceId, issueId, references)
            const stored = await storedDescription(trx, workspaceId, issueId)
            if (stored === null) throw invalid(`${issue.key} has no checklist in its description.`)
            const ticked = stored === before ? after : conversions.tickSmall(stored, met, unmet)
            if (ticked === undefined) throw new Changed(stored)
            const diff = noDiff()
            await setDescription(trx, workspaceId, diff, issue, ticked)
            await write(trx, principal, issueId, diff)
          })
          .catch((error: unknown) => {
            if (error instanceof Changed) return error
            throw error
          })
        if (changed === undefined) return
        before = changed.description
        after = await conversions.tick(before, met, unmet)
      }
      throw overloaded(
        'The description is changed by others all the time: read it again, and tick what is still to be ticked.'
      )
    },

    /**
     * Assigns an issue to the caller and moves it to the team's first STARTED state, unless it is in one.
     * Callers wait for each other at the row's lock, so that exactly one finds it free.
     * @throws 409 when somebody else has it, or it is closed
     */
    async pickUp(trx: Trx, principal: Principal, issueId: Id, takeover: boolean): Promise<void> {
      const { workspaceId, accountId, fullname } = principal
      const issue = await lockIssue(trx, workspaceId, issueId, references)
      if (isClosed(issue.state)) {
        throw conflict(
          `${issue.key} is closed (${issue.state.name}): reopen it by moving it to another state, or pick up another one.`,
          { state: issue.state }
        )
      }
      if (issue.assignee && issue.assignee.id !== accountId && !takeover) {
        throw conflict(
          `${issue.key} is held by ${issue.assignee.name}${issue.assignedAt ? ` since ${new Date(issue.assignedAt).toISOString()}` : ''}: pick up another one, or send takeover: true to take it from them.`,
          {
            holder: { id: issue.assignee.id, fullname: issue.assignee.name },
            since: issue.assignedAt && new Date(issue.assignedAt).toISOString()
          }
        )
      }
      const diff = noDiff()
      setAssignee(diff, issue, { id: accountId, name: fullname })
      if (issue.state.category !== 'STARTED') {
        const wanted = wantNothing()
        wanted.teams.add(issue.team.id)
        const started = (await lookUp(trx, workspaceId, wanted, references))
          .team(issue.team.id)
          .states.find(s => s.category === 'STARTED')
        if (!started) throw conflict('The team has no state of the category STARTED: add one first.')
        setState(diff, issue, started)
      }
      await write(trx, principal, issueId, diff)
    },

    /** Moves an issue to another team: a new number there, the state that corresponds; the old key still finds it. */
    async move(principal: Principal, issueId: Id, teamRef: string): Promise<void> {
      const { workspaceId } = principal
      const wanted = wantNothing()
      wanted.teams.add(teamRef)
      const team = (await lookUp(ctx.shortReads, workspaceId, wanted, references)).team(teamRef)
      const number = await takeNumbers(ctx.db, workspaceId, team.id, 1)
      await ctx.transaction(async trx => {
        const issue = await lockIssue(trx, workspaceId, issueId, references, { keyChanges: true })
        if (issue.team.id === team.id) return
        const state = correspondingState(team, issue.state)
        if (!state) throw conflict(`The team ${team.identifier} has no workflow states: add one first.`)
        const diff = noDiff()
        Object.assign(diff.columns, { team_id: team.id, number })
        diff.changes.push({
          change: 'team',
          from: issue.team.name,
          to: team.name,
          values: { from: named(issue.team), to: named(team) }
        })
        setState(diff, issue, state)
        for (const { key, column, ofTeam } of references) {
          if (!ofTeam) continue
          diff.columns[column] = null
          const before = issue.references[key]
          if (before) {
            const values = { from: named(before), to: null }
            diff.changes.push({ change: key, from: before.name, to: null, values })
          }
        }
        await trx
          .insertInto('issueFormerKey')
          .columns(['workspaceId', 'teamId', 'number', 'issueId', 'movedAt'])
          .expression(eb =>
            eb
              .selectFrom('issue')
              .select(['workspaceId', 'teamId', 'number', 'id', sql<Date>`${ctx.now()}::timestamptz`.as('movedAt')])
              .where('workspaceId', '=', workspaceId)
              .where('id', '=', issueId)
          )
          .execute()
        await write(trx, principal, issueId, diff)
      })
    },

    /** Takes an issue out of sight; its sub-issues become issues of their own. @throws 404 */
    async remove(trx: Trx, principal: Principal, issueId: Id): Promise<void> {
      const { workspaceId } = principal
      const author = authorOf(principal)
      await lockGraph(trx, workspaceId)
      await lockWithSubIssues(trx, workspaceId, issueId)
      const issue = await lockIssue(trx, workspaceId, issueId, references)
      const freed = await trx
        .updateTable('issue')
        .set(eb => ({ parentId: null, rev: eb('rev', '+', 1), updatedAt: author.at, updatedById: author.accountId }))
        .where('workspaceId', '=', workspaceId)
        .where('parentId', '=', issueId)
        .where('deletedAt', 'is', null)
        .returning(['id', 'rev', keyOf(workspaceId).as('key')])
        .execute()
      const removed = await trx
        .updateTable('issue')
        .set(eb => ({
          deletedAt: author.at,
          rev: eb('rev', '+', 1),
          updatedAt: author.at,
          updatedById: author.accountId
        }))
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', issueId)
        .returning('rev')
        .executeTakeFirst()
      if (!removed) throw notFound('issue', issueId)
      const orphaned: Change = {
        change: 'parent',
        from: issue.key,
        to: null,
        values: { from: { id: issueId, name: issue.key }, to: null }
      }
      await recordChanges(trx, workspaceId, author, [
        { issueId, change: 'deleted', from: null, to: null },
        ...freed.map(({ id }) => ({ issueId: id, ...orphaned }))
      ])
      await ctx.emit(trx, issueDeleted, principal, [
        { subjectId: issueId, subjectKey: issue.key, issueId, rev: removed.rev, data: { title: issue.title } }
      ])
      await ctx.emit(
        trx,
        issueUpdated,
        principal,
        freed.map(revision => updateOf(revision, [orphaned]))
      )
    },

    /** What a state's new category means for the issues that are in it: a new revision of each. */
    async recategorize(
      trx: Trx,
      principal: Principal,
      { stateId, from, to }: { stateId: Id; from: StateCategory; to: StateCategory }
    ): Promise<void> {
      const { workspaceId } = principal
      const author = authorOf(principal)
      const changed = await updateIssuesOfState(trx, workspaceId, stateId, author)
      for (let n = 0; n < changed.length; n += CHANGES_AT_ONCE) {
        const revisions = changed.slice(n, n + CHANGES_AT_ONCE)
        const change = { change: 'stateCategory', from, to }
        await recordChanges(
          trx,
          workspaceId,
          author,
          revisions.map(({ id }) => ({ issueId: id, ...change }))
        )
        await ctx.emit(
          trx,
          issueUpdated,
          principal,
          revisions.map(revision => updateOf(revision, [change]))
        )
      }
    },

    /** Notes that something beside the locked rows changed (a link, a relation): a new revision, in each history. */
    async touch(trx: Trx, principal: Principal, issueIds: readonly Id[], change: Change): Promise<void> {
      for (const issueId of issueIds) {
        await write(trx, principal, issueId, { ...noDiff(), changes: [change] })
      }
    }
  }
}
export type Updates = ReturnType<typeof makeUpdates>

/** The state of another team that is most like this one: of the same category and name, or else of the category. */
function correspondingState({ states }: TeamWithStates, { name, category }: State): State | undefined {
  const alike = states.filter(state => state.category === category)
  return (
    alike.find(state => state.name.toLowerCase() === name.toLowerCase()) ??
    alike[0] ??
    states.find(state => state.category === 'UNSTARTED') ??
    states[0]
  )
}
