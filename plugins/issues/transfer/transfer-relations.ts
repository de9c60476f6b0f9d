import { Type } from 'typebox'
import { ApiError } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import {
  ExternalId,
  Person,
  recordKind,
  UNKNOWN_PERSON,
  When,
  type Batch,
  type Item,
  type RecordChanges,
  type RecordOf
} from '../../transfer/contract.ts'
import { issueUpdated, type StoredRelationType } from '../contract.ts'
import { storedRelation } from '../write/relations.ts'
import type { Ctx, Trx } from '../context.ts'
import { refuseBlockingCircle, refuseParentCircle } from '../queries/read/circles.ts'
import { lockFound, lockGraph } from '../queries/write/locks.ts'
import { comparedRelations, exportedRelations, insertRelations, setParents } from './queries.ts'
import { allIssueFields } from '../service.ts'
import { RelationGraph } from './transfer-graph.ts'
import { patchIssue } from '../write/update.ts'

interface Relation {
  issue: string
  type: StoredRelationType | 'PARENT'
  relatedIssue: string
}

/** An issue has one parent; other relations are equal if both ends are. */
function relationName({ issue, type, relatedIssue }: Relation): string {
  if (type === 'PARENT') return `${issue} PARENT`
  const ends = type === 'RELATED' || type === 'SIMILAR' ? [issue, relatedIssue].sort() : [issue, relatedIssue]
  return `${ends[0]} ${type} ${ends[1]}`
}

const fields = {
  issue: ExternalId,
  type: Type.Enum(['BLOCKS', 'RELATED', 'DUPLICATE_OF', 'SIMILAR', 'PARENT']),
  relatedIssue: ExternalId,
  createdBy: Type.Optional(Person),
  createdAt: Type.Optional(When)
}
type ImportedRelation = RecordOf<typeof fields>

export const relationRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'relation',
    summary:
      'How two issues are related: “`issue` blocks `relatedIssue`”; with `PARENT`, `issue` is a sub-issue of\n' +
      '`relatedIssue`.',
    table: 'issue_relation',
    fields,
    rows: exportedRelations,
    nameOf: relationName,
    changes: relationChanges(ctx),
    add: batch => addRelations(ctx, batch)
  })

const creatorOf = ({ type, createdBy = UNKNOWN_PERSON }: ImportedRelation): string | undefined =>
  type === 'PARENT' ? undefined : createdBy

async function addRelations(ctx: Ctx, batch: Batch<ImportedRelation>): Promise<void> {
  const { trx, caller, workspaceId, items, find, people } = batch
  const db: Trx = trx
  const ids = await find(
    'issue',
    items.flatMap(({ record }) => [record.issue, record.relatedIssue])
  )
  const accounts = await people(items.map(({ record }) => creatorOf(record)))
  await lockGraph(db, workspaceId)
  await lockFound(db, workspaceId, [...ids.values()])
  const relations = items.map(item => ({ item, result: findEnds(item.record, ids) }))
  const changed = await addResolved(db, batch, relations, accounts)
  await ctx.emit(
    trx,
    issueUpdated,
    caller,
    [...changed].map(([issueId, fields]) => ({
      subjectId: issueId,
      parentId: issueId,
      data: { changes: [...fields].map(field => ({ field })) }
    }))
  )
}

interface ResolvedRelation {
  type: Relation['type']
  id: Id
  otherId: Id
}

/** @returns the relation, or the reason for skipping it */
function findEnds(
  { issue, type, relatedIssue }: ImportedRelation,
  ids: ReadonlyMap<string, Id>
): ResolvedRelation | string {
  const [id, otherId] = [ids.get(issue), ids.get(relatedIssue)]
  if (id === undefined || otherId === undefined) {
    return `there is no issue '${id === undefined ? issue : relatedIssue}'`
  }
  return id === otherId ? 'an issue has no relation to itself' : { type, id, otherId }
}

/**
 * Relations are written together: a statement for each would be most of an import's time. One that seems to close a
 * circle is checked in the database, after those before it were written.
 * @returns the changed fields of the issues
 */
async function addResolved(
  db: Trx,
  { workspaceId, now, skip, isThere, storedAs }: Batch<ImportedRelation>,
  relations: ReadonlyArray<{ item: Item<ImportedRelation>; result: ResolvedRelation | string }>,
  accounts: ReadonlyMap<string, Id>
): Promise<Map<Id, Set<string>>> {
  const changed = new Map<Id, Set<string>>()
  const note = (issueId: Id, field: string) => changed.set(issueId, (changed.get(issueId) ?? new Set()).add(field))
  const edges = relations.flatMap(({ result }) => (typeof result === 'string' ? [] : [result]))
  const graph = await RelationGraph.load(db, workspaceId, edges)
  let parents: Array<{ id: Id; parentId: Id }> = []
  let waiting: Array<{ item: Item<ImportedRelation>; row: RelationRow }> = []
  const write = async () => {
    await setParents(db, workspaceId, parents)
    const rows = waiting.map(({ row }) => row)
    const ids = await insertRelations(db, workspaceId, rows)
    for (const { item, row } of waiting) {
      if (ids.has(row.id)) for (const issueId of [row.issueId, row.relatedIssueId]) note(issueId, 'relation')
      else isThere(item)
    }
    parents = []
    waiting = []
  }
  const add = (item: Item<ImportedRelation>, { type, id, otherId }: ResolvedRelation) => {
    if (type === 'PARENT' && graph.hasParent(id)) return isThere(item)
    graph.add(type, id, otherId)
    if (type === 'PARENT') {
      parents.push({ id, parentId: otherId })
      note(id, 'parent')
      return storedAs(item, id)
    }
    const createdById = accounts.get(creatorOf(item.record)!)!
    const created = { id: item.id, createdById, createdAt: new Date(item.record.createdAt ?? now) }
    waiting.push({ item, row: { ...created, ...storedRelation(id, type, otherId) } })
  }
  for (const { item, result } of relations) {
    if (typeof result === 'string') {
      skip(item, result)
      continue
    }
    const closes = graph.closes(result.type, result.id, result.otherId)
    if (closes) await write()
    const refused = closes ? await refusedCircle(db, workspaceId, result) : undefined
    if (refused === undefined) add(item, result)
    else skip(item, refused)
  }
  await write()
  return changed
}

/** @returns the reason for refusing a relation that makes an issue its own ancestor or blocker */
async function refusedCircle(
  trx: Trx,
  workspaceId: Id,
  { type, id, otherId }: ResolvedRelation
): Promise<string | undefined> {
  try {
    if (type === 'PARENT') await refuseParentCircle(trx, workspaceId, id, otherId)
    if (type === 'BLOCKS') await refuseBlockingCircle(trx, workspaceId, id, [otherId])
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

type RelationRow = Parameters<typeof insertRelations>[2][number] & { id: Id }

/** A parent can change; other relations exist, or were deleted here. */
const relationChanges = (ctx: Ctx): RecordChanges<Relation> => ({
  fields: ['relatedIssue'],
  current: comparedRelations,
  async apply({ trx, caller, workspaceId, items, find, people, skip }) {
    const ids = await find(
      'issue',
      items.map(({ record }) => record.relatedIssue)
    )
    const accounts = await people([UNKNOWN_PERSON])
    const author = { ...caller, accountId: accounts.get(UNKNOWN_PERSON)! }
    const writer = { ctx, fields: allIssueFields(ctx) }
    await lockGraph(trx, workspaceId)
    const changedIds = items.map(({ id }) => id)
    await lockFound(trx, workspaceId, changedIds)
    for (const item of items) {
      const parentId = ids.get(item.record.relatedIssue)
      if (parentId === undefined) {
        skip(item, `there is no issue '${item.record.relatedIssue}'`)
        continue
      }
      try {
        await patchIssue(writer, trx, author, item.id, { parentId })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        skip(item, error.message)
      }
    }
  }
})
