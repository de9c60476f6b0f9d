import type { RawBuilder } from 'kysely'
import type { Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { RichText } from '../../../core/api/text.ts'
import { issues, issueUpdated, textOfIssue, type DescriptionChange, type OtherHolder } from '../contract.ts'
import { isDescribed } from './description.ts'
import type { Field, LinksField, ReferenceField, ValueField } from '../fields/field.ts'
import { ownFields } from '../fields/fields.ts'
import type { Named, ResolvedReferences, TeamWithStates } from '../queries/read/lookup.ts'
import {
  hasDescription,
  recordChanges,
  setLinks,
  updateIssue,
  type Author,
  type Change,
  type LockedIssue,
  type Revision,
  type RevisionSql
} from '../queries/write/write.ts'
import { keepDescription } from '../revisions/queries.ts'
import type { FieldValues } from '../schemas.ts'
import { afterCompletion, beforeChange, beforeDescription } from './participants.ts'
import { linksIn, referenceIn, valueIn } from './values.ts'
import { authorOf, type Writer } from '../queries/write/writer.ts'
import type { Trx } from '../context.ts'

const nameOf = (reference: Named | null) => reference && { id: reference.id, name: reference.name }

const updateData = (changes: readonly Change[]) => ({
  changes: changes.map(({ change: field, from, to, values = { from, to } }) => ({ field, ...values }))
})

/** Records the changes of issues that have new revisions already, and emits them. */
export async function recordRevisions(
  { ctx }: Writer,
  trx: Trx,
  actor: Actor,
  author: Author,
  revisions: readonly Revision[],
  changesOf: (revision: Revision) => readonly Change[]
): Promise<void> {
  const updates = revisions.map(revision => ({ ...revision, changes: changesOf(revision) }))
  const rows = updates.flatMap(({ id, rev, changes }) => changes.map(change => ({ issueId: id, rev, ...change })))
  await recordChanges(trx, actor.workspaceId, author, rows)
  const events = updates.map(({ id, key, rev, changes }) => {
    return { subjectId: id, subjectKey: key, parentId: id, rev, data: updateData(changes) }
  })
  await ctx.emit(trx, issueUpdated, actor, events)
}

export interface DescriptionDetails {
  title: string
  evidence?: ReadonlyMap<number, string> | undefined
  /** The numbers of the criteria that are ticked in the stored description; absent: it is another description. */
  ticked?: ReadonlySet<number> | undefined
  stored?: string | undefined
}

export class Diff {
  description: DescriptionChange | undefined
  readonly columns: Record<string, unknown> = {}
  readonly changes: Change[] = []
  readonly lists: Array<{ field: LinksField; add: Id[]; remove: Id[] }> = []

  setReference(field: ReferenceField, before: Named | null, after: Named | null, at: Date): void {
    if ((after?.id ?? null) === (before?.id ?? null)) return
    this.columns[field.column] = after?.id ?? null
    Object.assign(this.columns, field.alsoSets?.(after?.id ?? null, at))
    const names = { from: before?.name ?? null, to: after?.name ?? null }
    this.changes.push({ change: field.change, ...names, values: { from: nameOf(before), to: nameOf(after) } })
  }

  /** Clears the column, too, if it refers to a removed record, which reads as none. */
  clearReference(field: ReferenceField, issue: LockedIssue, at: Date): void {
    // See `storedValue`.
    this.setReference(field, issue.values[field.key] as Named | null, null, at)
    this.columns[field.column] = null
  }

  setValue(field: ValueField, before: unknown, after: unknown): void {
    if (after === before) return
    this.columns[field.column] = after
    const words = { from: field.word(before), to: field.word(after) }
    this.changes.push({ change: field.change, ...words, values: { from: before, to: after } })
  }

  setList(field: LinksField, before: readonly Named[], after: ReadonlyMap<Id, string>): void {
    const { change } = field
    const added = [...after].filter(([id]) => !before.some(thing => thing.id === id))
    const removed = before.filter(({ id }) => !after.has(id))
    this.lists.push({ field, add: added.map(([id]) => id), remove: removed.map(({ id }) => id) })
    this.changes.push(
      ...added.map(([id, name]) => ({ change, from: null, to: name, values: { from: null, to: { id, name } } })),
      ...removed.map(({ id, name }) => ({ change, from: name, to: null, values: { from: { id, name }, to: null } }))
    )
  }

  /** Adds a new description, or evidence for criteria of the present one. */
  async setDescription(
    trx: Trx,
    workspaceId: Id,
    issue: LockedIssue,
    text: RichText,
    { title, evidence = new Map(), ticked, stored }: DescriptionDetails
  ): Promise<void> {
    const isSame =
      stored === undefined ? await hasDescription(trx, workspaceId, issue.id, text.json) : stored === text.json
    if (isSame && evidence.size === 0) return
    const { items } = text.criteria
    this.description = {
      items,
      evidence,
      ticked: ticked ?? new Set(),
      metBefore: issue.criteriaMet,
      isRewritten: ticked === undefined && !isSame,
      isNewText: !isSame
    }
    if (isSame) {
      this.changes.push({ change: 'evidence', from: null, to: null, values: {} })
      return
    }
    Object.assign(this.columns, {
      description: text.json,
      description_markdown: text.markdown,
      described: isDescribed(text, title),
      criteria_met: text.criteria.met,
      criteria_total: text.criteria.total
    })
    this.changes.push({ change: 'description', from: null, to: null, values: {} })
  }

  /** @param options.where the path of the body in the request, for errors @throws 400, 404 */
  setField(
    field: Field,
    issue: LockedIssue,
    body: FieldValues,
    resolved: ResolvedReferences,
    { team, at, where }: { team: TeamWithStates | undefined; at: Date; where: string }
  ): void {
    // See `storedValue`.
    const before = issue.values[field.key]
    if (field.kind === 'value') return this.setValue(field, before, valueIn(field, body, where))
    if (field.kind === 'reference') {
      const after = referenceIn(field, body, resolved, { team, stored: issue.values, at: where })
      if (after !== undefined) this.setReference(field, before as Named | null, after, at)
      return
    }
    const { all, add, remove } = linksIn(field, body, resolved)
    const things = new Map((all ?? (before as Named[])).concat(add).map(({ id, name }) => [id, name]))
    for (const id of remove) things.delete(id)
    this.setList(field, before as Named[], things)
  }

  get isEmpty(): boolean {
    return this.changes.length === 0
  }
}

interface WriteOptions {
  /** The key of the issue, if it is known and does not change. */
  key?: string
  isPart?: boolean
  isPickUp?: boolean
  takeover?: boolean
  override?: boolean
}

/**
 * Writes a change of a locked issue with its history, and emits it.
 * @returns who else works on the issue, or did when the change began
 * @throws errors of plugins that take part, such as 409 when it would be taken from somebody without `takeover`
 */
export async function writeChange(
  writer: Writer,
  trx: Trx,
  principal: Actor,
  issueId: Id,
  diff: Diff,
  { key, isPart = false, isPickUp = false, takeover = isPickUp, override = false }: WriteOptions = {}
): Promise<OtherHolder | undefined> {
  const mayMove = 'state_id' in diff.columns || 'assignee_id' in diff.columns
  const how = { isPickUp, isPart, takeover: takeover || !mayMove }
  const { returned, after } = await beforeChange(writer.ctx, principal, trx, issueId, how)
  const { description } = diff
  const afterDescription = description && (await beforeDescription(writer.ctx, principal, trx, issueId, description))
  const isChanged = description !== undefined && 'description' in diff.columns
  if (isChanged) {
    await keepDescription(trx, principal.workspaceId, issueId, authorOf(writer, principal), !description.isRewritten)
  }
  const written = diff.isEmpty ? undefined : await writeDiff(writer, trx, principal, issueId, diff, { key, returned })
  if (description?.isRewritten) {
    const markdown = String(diff.columns['description_markdown'])
    await writer.ctx.use.texts.written(principal, trx, [textOfIssue(issueId, markdown)])
  }
  await afterDescription?.()
  if (written?.isCompleted && 'state_id' in diff.columns) {
    await assertComplete(writer, trx, principal, issueId, { at: written.at, override })
  }
  return after(written)
}

/**
 * If a person overrides the check, the history says so.
 * @param options.at null: also one that was completed earlier
 * @throws 403, 409
 */
export async function assertComplete(
  writer: Writer,
  trx: Trx,
  principal: Actor,
  issueId: Id,
  options: { at: Date | null; override: boolean }
): Promise<void> {
  const overridden = await afterCompletion(writer.ctx, principal, trx, [issueId], options)
  if (overridden === undefined) return
  const diff = new Diff()
  diff.changes.push({ change: 'override', from: null, to: overridden })
  await writeDiff(writer, trx, principal, issueId, diff)
}

/** Like `writeChange`, without the other plugins. */
export async function writeDiff(
  writer: Writer,
  trx: Trx,
  principal: Actor,
  issueId: Id,
  { columns, changes, lists }: Diff,
  { key, returned }: { key?: string | undefined; returned?: ReadonlyArray<RawBuilder<unknown>> } = {}
) {
  const { workspaceId } = principal
  const author = authorOf(writer, principal)
  const event = { subjectId: issueId, parentId: issueId, data: updateData(changes) }
  const emitting = (revision: RevisionSql) =>
    writer.ctx.use.eventLog.emitting(issues, trx, issueUpdated, principal, { ...event, ...revision })
  const written = await updateIssue(trx, workspaceId, issueId, author, { columns, changes, key, returned }, emitting)
  for (const { field, add, remove } of lists) await setLinks(trx, workspaceId, issueId, field, add, remove)
  return { at: author.at, ...written }
}

/** Something that belongs to locked issues has changed: a link, a relation. */
export async function touchIssues(
  writer: Writer,
  trx: Trx,
  principal: Actor,
  issueIds: readonly Id[],
  change: Change
): Promise<void> {
  for (const issueId of issueIds) {
    const diff = new Diff()
    diff.changes.push(change)
    await writeChange(writer, trx, principal, issueId, diff, { isPart: true })
  }
}

export const setState = (diff: Diff, issue: LockedIssue, state: Named, at: Date): void =>
  diff.setReference(ownFields.state, issue.state, state, at)
