import type { Caller } from '../../../core/api/contract.ts'
import { isId, newId } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'
import type { Batch, ChangeBatch, ImportedFields, Item, RecordKind } from '../contract.ts'
import type { Line } from '../format.ts'
import { issueIdentities } from '../queries/boards.ts'
import { RecordNames, type ImportTarget } from './names.ts'
import { currentFields, listLastImported, updateImportedFields } from '../queries/imported.ts'
import { compareField, importedFields } from './three-way.ts'

export interface ReadLine {
  line: number
  where: string
  record: Line
}
export interface Skipped {
  line: number
  where: string
  kind?: string
  reason: string
}
/** Changed on both sides: it keeps its value here. */
export interface KeptField {
  where: string
  kind: string
  externalId: string
  field: string
}
export interface Done {
  added: Map<string, number>
  updated: Map<string, number>
  there: Map<string, number>
  /** Deleted here since the import. */
  deleted: Map<string, number>
  skipped: Skipped[]
  /** Lines that were imported in part. */
  shortened: Skipped[]
  kept: KeptField[]
}
type Read = Item<Line> & { readonly where: string; readonly name: string | undefined }
interface Work {
  trx: Trx
  into: ImportTarget
  caller: Caller
  names: RecordNames
  done: Done
}

const count = (counts: Map<string, number>, kind: string, n = 1) => {
  if (n > 0) counts.set(kind, (counts.get(kind) ?? 0) + n)
}

export async function importBatch(
  trx: Trx,
  into: ImportTarget,
  caller: Caller,
  lines: readonly ReadLine[]
): Promise<Done> {
  const done: Done = {
    added: new Map(),
    updated: new Map(),
    there: new Map(),
    deleted: new Map(),
    skipped: [],
    shortened: [],
    kept: []
  }
  const work: Work = { trx, into, caller, names: new RecordNames(trx, into), done }
  for (const kind of into.kinds) {
    const read = lines.filter(({ record }) => record.kind === kind.kind)
    if (read.length > 0) await importKind(work, kind, read)
  }
  return done
}

async function importKind(work: Work, kind: RecordKind, lines: readonly ReadLine[]): Promise<void> {
  const { into, names, done } = work
  const nameOf = (record: Line): string | undefined =>
    (into.source === '' ? undefined : (kind.nameOf as ((record: Line) => string | undefined) | undefined)?.(record)) ??
    record.externalId
  const known = await names.find(
    kind.kind,
    lines.map(({ record }) => nameOf(record))
  )
  const added: Read[] = []
  const came: Read[] = []
  const assigned = names.assignedIds(kind.kind)
  for (const { line, where, record } of lines) {
    const { kind: _, ...fields } = record
    const name = nameOf(record)
    const knownId = name === undefined ? undefined : known.get(name)
    if (name !== undefined && assigned.has(name)) count(done.there, kind.kind)
    else if (knownId !== undefined) came.push({ line, where, name, record: fields as Line, id: knownId })
    else {
      const id = [record.externalId, name].find(each => each !== undefined && isId(each))?.toLowerCase() ?? newId()
      added.push({ line, where, name, record: fields as Line, id })
      if (name !== undefined) assigned.set(name, id)
    }
  }
  if (into.source === '' && kind.identities) await refuseOthers(work, kind, came)
  const take = (names: ReadonlyMap<string, Id>) => names.forEach((id, name) => into.taken.set(id, name))
  if (kind.keptApart) take(known)
  await addRecords(work, kind, added)
  if (kind.keptApart) take(assigned)
  if (into.source === '' || kind.changes === undefined) count(done.there, kind.kind, came.length)
  else await changeRecords(work, kind, kind.changes as AnyChanges, came)
}

/**
 * Neither titles nor times agree with the stored issue: the file is of another board. References to them are refused,
 * too.
 */
async function refuseOthers(work: Work, kind: RecordKind, came: Read[]): Promise<void> {
  const { trx, into, done } = work
  const named = came.filter(({ name }) => name !== undefined && !isId(name))
  if (named.length === 0) return
  const ids = named.map(({ id }) => id)
  const identities = await issueIdentities(trx, kind.identities!(into.workspaceId, ids))
  const current = await readCurrent(work, kind.changes as AnyChanges, ids)
  for (const item of named) {
    const { id, line, where, name, record } = item
    const isSameTime = Date.parse(String(record['createdAt'])) === identities.get(id)?.createdAt.getTime()
    if (isSameTime || !current.has(id) || current.get(id)!['title'] === record['title']) continue
    came.splice(came.indexOf(item), 1)
    into.refused.add(name!)
    const reason = `another issue came as '${name}' before: import the file with --source NAME, if it is another board`
    done.skipped.push({ line, where, kind: kind.kind, reason })
  }
}

type AnyChanges = Omit<NonNullable<RecordKind['changes']>, 'apply'> & {
  apply(batch: ChangeBatch<Line>): Promise<void>
}

async function addRecords(work: Work, kind: RecordKind, items: Read[]): Promise<void> {
  const { done, names, into } = work
  const assigned = names.assignedIds(kind.kind)
  const skipped = new Set<Item<Line>>()
  const leave = (item: Read, id?: Id) => {
    skipped.add(item)
    if (item.name === undefined) return
    if (id === undefined) assigned.delete(item.name)
    else assigned.set(item.name, id)
  }
  if (items.length > 0) {
    await (kind.add as (batch: Batch<Line>) => Promise<void>)({
      ...shared(work, kind.kind),
      items: await withTexts(work, items),
      storedAs: (item, id) => assigned.set((item as Read).name ?? '', id),
      skip(item, reason) {
        leave(item as Read)
        done.skipped.push({ line: item.line, where: (item as Read).where, kind: kind.kind, reason })
      },
      isThere(item, id) {
        leave(item as Read, id)
        count(done.there, kind.kind)
      },
      isTaken: (item, id) => isTaken(into, assigned, (item as Read).name, id)
    })
  }
  count(done.added, kind.kind, items.length - skipped.size)
  const remembered = new Map<Id, ImportedFields>()
  if (into.source !== '' && kind.changes !== undefined && assigned.size > 0) {
    const current = await readCurrent(work, kind.changes as AnyChanges, [...assigned.values()])
    const { fields } = kind.changes
    for (const { record, name } of items) {
      const id = assigned.get(name ?? '')
      if (id !== undefined) remembered.set(id, importedFields(fields, record, current.get(id)))
    }
  }
  await names.remember(kind.kind, remembered)
}

/** A retried transaction may have taken a record for the same line. */
function isTaken(
  { taken }: ImportTarget,
  assigned: ReadonlyMap<string, Id>,
  name: string | undefined,
  id: Id
): boolean {
  const before = taken.get(id)
  if (before !== undefined && before !== name) return true
  return [...assigned].some(([other, otherId]) => otherId === id && other !== name)
}

async function changeRecords(work: Work, kind: RecordKind, changes: AnyChanges, came: readonly Read[]): Promise<void> {
  const { trx, done } = work
  if (came.length === 0) return
  const { workspaceId, source } = work.into
  const records = { workspaceId, kind: kind.kind, source }
  const last = await listLastImported(
    trx,
    records,
    came.flatMap(({ name }) => name ?? [])
  )
  const before = await readCurrent(
    work,
    changes,
    came.map(({ id }) => id)
  )
  const changed = new Map<Id, Set<string>>()
  for (const { id, name, record, where } of came) {
    const [current, imported] = [before.get(id), last.get(name ?? '')]
    if (current === undefined) count(done.deleted, kind.kind)
    if (current === undefined || !imported) continue
    for (const field of changes.fields) {
      const outcome = compareField(field, imported, record, current)
      if (outcome === 'take') changed.set(id, (changed.get(id) ?? new Set()).add(field))
      if (outcome === 'conflict') done.kept.push({ where, kind: kind.kind, externalId: name!, field })
    }
  }
  const items = came.filter(({ id }) => changed.has(id))
  count(done.there, kind.kind, came.filter(({ id }) => before.has(id)).length - items.length)
  if (items.length === 0) return
  const skipped = new Set<Id>()
  await changes.apply({
    ...shared(work, kind.kind),
    items: await withTexts(work, items),
    changed,
    skip(item, reason) {
      skipped.add(item.id)
      done.skipped.push({ line: item.line, where: (item as Read).where, kind: kind.kind, reason })
    }
  })
  const updated = items.filter(({ id }) => !skipped.has(id))
  count(done.updated, kind.kind, updated.length)
  const after = await readCurrent(
    work,
    changes,
    updated.map(({ id }) => id)
  )
  for (const { id, name, record } of updated) {
    const now = importedFields([...changed.get(id)!], record, after.get(id))
    await updateImportedFields(trx, records, name!, { ...last.get(name!), ...now })
  }
}

function shared(
  { trx, caller, into, names, done }: Work,
  kind: string
): Omit<Batch<Line>, 'items' | 'skip' | 'isThere' | 'isTaken' | 'storedAs'> {
  const note = (item: Item<Line>, reason: string) =>
    done.shortened.push({ line: item.line, where: (item as Read).where, kind, reason })
  return {
    trx,
    caller,
    workspaceId: into.workspaceId,
    source: into.source,
    now: into.now,
    async find(kind, externalIds) {
      const ids = await names.find(kind, externalIds)
      if (kind === 'issue') for (const name of into.refused) ids.delete(name)
      return ids
    },
    people: of => names.people(of),
    note,
    noteCut(item, cutCharacters) {
      if (cutCharacters > 0) note(item, 'its text is too long: the end is left out, and its last line says so')
    }
  }
}

/** The stored digests are of the texts before. */
async function withTexts({ names }: Work, items: readonly Read[]): Promise<Read[]> {
  const resolved = items.map(item => ({ ...item, record: { ...item.record } }))
  await names.resolveTexts(resolved.map(({ record }) => record))
  return resolved
}

const readCurrent = ({ trx, into }: Work, { current }: AnyChanges, ids: readonly Id[]) =>
  currentFields(trx, current(into.workspaceId, ids))
