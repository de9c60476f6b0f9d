import { sql, type RawBuilder } from 'kysely'
import { asShortRead, isId, jsonObject, newId, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { DatabaseHandle, Id, TransactionHandle } from '../../../core/api/database/types.ts'
import { notFound } from '../../../core/api/errors.ts'
import { exactFirst, foldLine, onlyMatch, unknownName } from '../../../core/api/text.ts'
import type { Db, Trx } from '../context.ts'
import {
  STATE_CATEGORIES,
  type ClosingCriteria,
  type StateCategory,
  type TeamField,
  type TeamRef,
  type TeamState
} from '../contract.ts'

const teamColumns = ['id', 'identifier', 'name', 'closingCriteria', 'createdAt'] as const
const stateColumns = ['id', 'name', 'category', 'position', 'color', 'teamId'] as const
const labelColumns = ['id', 'name', 'color', 'createdAt'] as const

export interface TeamRow extends TeamRef {
  closingCriteria: ClosingCriteria
  createdAt: Date
}

export type MoreOfTeam = Record<string, unknown>

export const DEFAULT_COLOR = '#94a3b8'

const FIRST_STATES: ReadonlyArray<{ name: string; category: StateCategory; color: string }> = [
  { name: 'Triage', category: 'TRIAGE', color: '#f59e0b' },
  { name: 'Backlog', category: 'BACKLOG', color: '#94a3b8' },
  { name: 'Todo', category: 'UNSTARTED', color: '#cbd5e1' },
  { name: 'In Progress', category: 'STARTED', color: '#eab308' },
  { name: 'In Review', category: 'STARTED', color: '#22c55e' },
  { name: 'Done', category: 'COMPLETED', color: '#6366f1' },
  { name: 'Canceled', category: 'CANCELED', color: '#64748b' }
]
/** In the order of an issue's progress. */
export const categoryRank = sql<number>`array_position(${sql.lit(`{${STATE_CATEGORIES.join(',')}}`)}::text[], category)`

export const readTeams = (db: Db, workspaceId: Id, fields: readonly TeamField[], id?: Id) =>
  asShortRead(db)
    .selectFrom('team')
    .select([...teamColumns, moreOf(workspaceId, fields).as('more')])
    .where(notDeletedIn(workspaceId))
    .$if(id !== undefined, query => query.where('id', '=', id!))
    .orderBy('identifier')
    .execute()

function moreOf(workspaceId: Id, fields: readonly TeamField[]): RawBuilder<MoreOfTeam> {
  if (fields.length === 0) return sql<MoreOfTeam>`json_build_object()`
  const json = jsonObject(Object.fromEntries(fields.map(({ name, json }) => [name, json(workspaceId)])))
  return sql<MoreOfTeam>`json_strip_nulls(${json})`
}

export const listTeams = (db: Db, workspaceId: Id) =>
  asShortRead(db)
    .selectFrom('team')
    .select(teamColumns)
    .where(notDeletedIn(workspaceId))
    .orderBy('identifier')
    .execute()

export async function findTeam(handle: DatabaseHandle, workspaceId: Id, ref: string): Promise<TeamRow> {
  const db: Db = handle
  const team = await asShortRead(db)
    .selectFrom('team')
    .select(teamColumns)
    .where(notDeletedIn(workspaceId))
    .where(isId(ref) ? sql<boolean>`id = ${ref}` : sql<boolean>`upper(identifier) = upper(${ref})`)
    .executeTakeFirst()
  if (!team) throw notFound('team', ref)
  return team
}

export async function teamNamed(db: DatabaseHandle, workspaceId: Id, ref: string): Promise<TeamRef> {
  const teams = await listTeams(db, workspaceId)
  const folded = foldLine(ref)
  const named = teams.filter(({ name }) => foldLine(name) === folded)
  const byId = teams.find(({ id, identifier }) => id === folded || identifier.toLowerCase() === folded)
  const team = byId ?? onlyMatch('team', exactFirst(named, ref), ({ identifier }) => identifier, 'team')
  if (team) return team
  const names = teams.map(({ identifier, name }) => `${identifier} (${name})`)
  throw unknownName('team', ref, names, 'team')
}

export async function insertTeam(trx: Trx, workspaceId: Id, team: { identifier: string; name: string }) {
  const row = await trx
    .insertInto('team')
    .values({ workspaceId, id: newId(), identifier: team.identifier.toUpperCase(), name: team.name })
    .returning(teamColumns)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('workflowState')
    .values(FIRST_STATES.map((state, position) => ({ workspaceId, id: newId(), teamId: row.id, position, ...state })))
    .execute()
  return row
}

export const lockTeam = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('team')
    .select(teamColumns)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const updateTeam = (
  trx: Trx,
  workspaceId: Id,
  id: Id,
  changes: { name?: string; closingCriteria?: ClosingCriteria }
) =>
  trx
    .updateTable('team')
    .set(changes)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning(teamColumns)
    .executeTakeFirstOrThrow()

/** It waits for an issue that is being put into one of its states. @returns false if it was removed meanwhile */
export async function removeTeam(trx: Trx, workspaceId: Id, id: Id, at: Date): Promise<boolean> {
  const states = await trx
    .selectFrom('workflowState')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const state of states) await removeState(trx, workspaceId, id, state.id, at)
  const { numUpdatedRows } = await trx
    .updateTable('team')
    .set({ deletedAt: at })
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const listStates = (db: Db, workspaceId: Id, teamId: Id) =>
  asShortRead(db)
    .selectFrom('workflowState')
    .select(stateColumns)
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .orderBy(categoryRank)
    .orderBy('position')
    .orderBy('id')
    .execute()

export function listAllStates(handle: DatabaseHandle, workspaceId: Id): Promise<TeamState[]> {
  const db: Db = handle
  return asShortRead(db)
    .selectFrom('workflowState')
    .select(['id', 'teamId', 'name', 'category'])
    .where('workspaceId', '=', workspaceId)
    .orderBy(sql`deleted_at is not null`)
    .orderBy('position')
    .execute()
}

export interface NewState {
  name: string
  category: StateCategory
  position?: number
  color?: string
}

/** Without a position it becomes the last of its team. */
export async function insertState(
  trx: Trx,
  workspaceId: Id,
  teamId: Id,
  { name, category, position, color = DEFAULT_COLOR }: NewState
) {
  return trx
    .insertInto('workflowState')
    .values({
      workspaceId,
      id: newId(),
      teamId,
      name,
      category,
      color,
      position: position ?? (await nextPosition(trx, workspaceId, teamId))
    })
    .returning(stateColumns)
    .executeTakeFirstOrThrow()
}

async function nextPosition(db: Db, workspaceId: Id, teamId: Id): Promise<number> {
  const { position } = await db
    .selectFrom('workflowState')
    .select(sql<number>`coalesce(max(position), -1) + 1`.as('position'))
    .where('workspaceId', '=', workspaceId)
    .where('teamId', '=', teamId)
    .executeTakeFirstOrThrow()
  return position
}

export async function lockStateChanges(trx: Trx, workspaceId: Id): Promise<void> {
  // Raw: a function call, not a query.
  await sql`select pg_advisory_xact_lock(hashtext('workspace.states'), hashtext(${workspaceId}))`.execute(trx)
}

export const findState = (db: Db, workspaceId: Id, teamId: Id, id: Id) =>
  db
    .selectFrom('workflowState')
    .select(stateColumns)
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Waits for transactions that put an issue into the state: they hold its row in share mode. */
export const updateState = (trx: Trx, workspaceId: Id, teamId: Id, id: Id, changes: Partial<NewState>) =>
  trx
    .updateTable('workflowState')
    .set({ ...changes, id })
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .returning(stateColumns)
    .executeTakeFirst()

export const removeState = (trx: Trx, workspaceId: Id, teamId: Id, id: Id, at: Date) =>
  trx
    .updateTable('workflowState')
    .set({ deletedAt: at })
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .returning(stateColumns)
    .executeTakeFirst()

export const listLabels = (db: Db, workspaceId: Id) =>
  asShortRead(db)
    .selectFrom('label')
    .select(labelColumns)
    .where(notDeletedIn(workspaceId))
    .orderBy(sql`lower(name)`)
    .execute()

const selectLabel = (db: Db, workspaceId: Id, id: Id) =>
  asShortRead(db).selectFrom('label').select(labelColumns).where(notDeletedIn(workspaceId)).where('id', '=', id)

export const findLabel = (db: Db, workspaceId: Id, id: Id) => selectLabel(db, workspaceId, id).executeTakeFirst()

export const insertLabel = (
  trx: Trx,
  workspaceId: Id,
  { name, color = DEFAULT_COLOR }: { name: string; color?: string }
) =>
  trx
    .insertInto('label')
    .values({ workspaceId, id: newId(), name, color })
    .returning(labelColumns)
    .executeTakeFirstOrThrow()

export const lockLabel = (trx: Trx, workspaceId: Id, id: Id) =>
  selectLabel(trx, workspaceId, id).forNoKeyUpdate().executeTakeFirst()

export const updateLabel = (trx: Trx, workspaceId: Id, id: Id, changes: { name?: string; color?: string }) =>
  trx
    .updateTable('label')
    .set({ ...changes, id })
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .returning(labelColumns)
    .executeTakeFirst()

export const removeLabel = (trx: Trx, workspaceId: Id, id: Id, at: Date, by: Id) =>
  trx
    .updateTable('label')
    .set({ deletedAt: at, deletedById: by })
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .returning(labelColumns)
    .executeTakeFirst()

export async function teamIds(db: DatabaseHandle, workspaceId: Id): Promise<Map<string, Id>> {
  const teams = await listTeams(db, workspaceId)
  return new Map(teams.map(({ id, identifier }) => [identifier.toUpperCase(), id]))
}

export async function labelsNamed(
  handle: TransactionHandle,
  workspaceId: Id,
  names: readonly string[],
  at: Date
): Promise<{ ids: Map<string, Id>; created: Array<{ id: Id; name: string; color: string }> }> {
  const db: Trx = handle
  if (names.length === 0) return { ids: new Map(), created: [] }
  // Raw, for `unnest`. Lowercase is the database's, as in its index: JavaScript converts `İ` otherwise.
  const { rows } = await sql<{ name: string; key: string; id: Id | null }>`
    select sent.name, lower(sent.name) as key, l.id
    from (select distinct name from unnest(${names}::text[]) as name) as sent
    left join label l on l.workspace_id = ${workspaceId} and lower(l.name) = lower(sent.name) and l.deleted_at is null
    order by sent.name`.execute(db)
  const idsByKey = new Map(rows.flatMap(({ key, id }) => (id === null ? [] : [[key, id]])))
  const newLabels: Array<{ id: Id; name: string; color: string }> = []
  for (const { name, key } of rows) {
    if (idsByKey.has(key)) continue
    const id = newId()
    idsByKey.set(key, id)
    newLabels.push({ id, name, color: DEFAULT_COLOR })
  }
  if (newLabels.length > 0) {
    const labels = newLabels.map(label => ({ workspaceId, ...label, createdAt: at }))
    await db.insertInto('label').values(labels).execute()
  }
  return { ids: new Map(rows.map(({ name, key }) => [name, idsByKey.get(key)!])), created: newLabels }
}
