import { sql } from 'kysely'
import { newId, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id, WorkspaceId } from '../../../core/api/database/types.ts'
import type { CarryOver, Rule, Span } from './spans.ts'
import type { Db, Trx } from '../context.ts'

const columns = ['id', 'name', 'teamId', 'startsAt', 'endsAt', 'createdAt', 'closedAt', 'carryOver'] as const

export interface CycleRow extends Span {
  id: Id
  name: string
  teamId: Id
  createdAt: Date
  closedAt: Date | null
  carryOver: CarryOver | null
}

export const listCycles = (db: Db, workspaceId: Id): Promise<CycleRow[]> =>
  db.selectFrom('cycle').select(columns).where(notDeletedIn(workspaceId)).orderBy('startsAt').orderBy('id').execute()

export const findCycle = (db: Db, workspaceId: Id, id: Id) => selectCycle(db, workspaceId, id).executeTakeFirst()

export const lockCycle = (trx: Trx, workspaceId: Id, id: Id) =>
  selectCycle(trx, workspaceId, id).forNoKeyUpdate().executeTakeFirst()

const selectCycle = (db: Db, workspaceId: Id, id: Id) =>
  db.selectFrom('cycle').select(columns).where(notDeletedIn(workspaceId)).where('id', '=', id)

export const nameCycles = (db: Db, workspaceId: Id, ids: readonly Id[]) =>
  db
    .selectFrom('cycle')
    .select(['id', 'name'])
    .where(notDeletedIn(workspaceId))
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()

interface NewCycle extends Span {
  name: string
  teamId: Id
  isRepeated?: boolean
}
export const insertCycle = (trx: Trx, workspaceId: Id, at: Date, values: NewCycle): Promise<CycleRow> =>
  trx
    .insertInto('cycle')
    .values({ workspaceId, id: newId(), createdAt: at, ...values })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateCycle = (
  trx: Trx,
  workspaceId: Id,
  id: Id,
  values: (Span & { name: string }) | { closedAt: Date; carryOver: CarryOver } | { deletedAt: Date }
) =>
  trx
    .updateTable('cycle')
    .set(values)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()

/** Locked, so that it is not removed meanwhile. */
export const nextCycle = (trx: Trx, workspaceId: Id, { id, teamId, startsAt }: CycleRow, now: Date) =>
  trx
    .selectFrom('cycle')
    .select(['id', 'name'])
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .where('id', '<>', id)
    .where('closedAt', 'is', null)
    .where('startsAt', '>', startsAt)
    .where('endsAt', '>', now)
    .orderBy('startsAt')
    .orderBy('id')
    .limit(1)
    .forShare()
    .executeTakeFirst()

/**
 * The cycles of a team that have not ended, and the last that has. They include repeated ones that somebody removed, so
 * that these are not created again.
 */
export async function presentSpans(trx: Trx, workspaceId: Id, teamId: Id, now: Date): Promise<Span[]> {
  const ofTeam = trx
    .selectFrom('cycle')
    .select(['startsAt', 'endsAt'])
    .where('workspaceId', '=', workspaceId)
    .where('teamId', '=', teamId)
    .where(({ or, eb }) => or([eb('deletedAt', 'is', null), eb('isRepeated', '=', true)]))
  const present = await ofTeam.where('endsAt', '>', now).execute()
  const last = await ofTeam.where('endsAt', '<=', now).orderBy('endsAt', 'desc').limit(1).execute()
  return [...present, ...last]
}

/** As in `Cycle 7`; removed ones count. */
export async function lastNumber(trx: Trx, workspaceId: Id, teamId: Id): Promise<number> {
  // Raw: a number in a name.
  const number = sql<number>`coalesce(max(substring(name from '^Cycle ([0-9]{1,6})$')::int), 0)`
  const row = await trx
    .selectFrom('cycle')
    .select(number.as('n'))
    .where('workspaceId', '=', workspaceId)
    .where('teamId', '=', teamId)
    .executeTakeFirstOrThrow()
  return row.n
}

export async function removeUpcoming(trx: Trx, workspaceId: Id, teamId: Id, at: Date): Promise<CycleRow[]> {
  const upcoming = await trx
    .selectFrom('cycle')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .where('isRepeated', '=', true)
    .where('startsAt', '>', at)
    .orderBy('startsAt')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (upcoming.length === 0) return []
  // A statement of its own: it sees the issues that were moved into a cycle while its lock was waited for.
  return trx
    .updateTable('cycle')
    .set({ deletedAt: at })
    .where(notDeletedIn(workspaceId))
    .where(
      'id',
      'in',
      upcoming.map(({ id }) => id)
    )
    .where(
      // Raw: the column of issues is a field that this plugin contributes.
      sql<boolean>`id not in (
        select cycle_id from issue
        where workspace_id = ${workspaceId} and team_id = ${teamId} and cycle_id is not null and deleted_at is null)`
    )
    .returning(columns)
    .execute()
}

/** Another rule begins anew: it may create cycles again that were removed. */
export const forgetRemoved = (trx: Trx, workspaceId: Id, teamId: Id) =>
  trx
    .updateTable('cycle')
    .set({ isRepeated: false })
    .where('workspaceId', '=', workspaceId)
    .where('teamId', '=', teamId)
    .where('isRepeated', '=', true)
    .where('deletedAt', 'is not', null)
    .execute()

/** Since the cycles of the team repeat. */
export const listEnded = (db: Db, workspaceId: Id, { teamId, setAt }: Rule, now: Date): Promise<CycleRow[]> =>
  db
    .selectFrom('cycle')
    .select(columns)
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .where('closedAt', 'is', null)
    .where('endsAt', '>', setAt)
    .where('endsAt', '<=', now)
    .orderBy('endsAt')
    .orderBy('id')
    .execute()

/**
 * Issues that moved to another team while this plugin was off are not in it. Raw: the column is a field that this
 * plugin contributes.
 */
const isOpenIn = (workspaceId: Id, cycleId: Id) => sql`
  workspace_id = ${workspaceId} and cycle_id = ${cycleId} and deleted_at is null
  and team_id = (select team_id from cycle where workspace_id = ${workspaceId} and id = ${cycleId})
  and state_id in (
    select id from workflow_state where workspace_id = ${workspaceId} and category not in ('COMPLETED', 'CANCELED'))`

/** In the order of locks. */
export async function lockOpenIssues(trx: Trx, workspaceId: Id, cycleId: Id, limit: number): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from issue where ${isOpenIn(workspaceId, cycleId)}
    order by id limit ${limit} for no key update`.execute(trx)
  return rows.map(({ id }) => id)
}

export async function hasOpenIssues(db: Db, workspaceId: Id, cycleId: Id): Promise<boolean> {
  const { rows } = await sql`select from issue where ${isOpenIn(workspaceId, cycleId)} limit 1`.execute(db)
  return rows.length > 0
}

const ruleColumns = ['workspaceId', 'teamId', 'weeks', 'startDay', 'carryOver', 'setById', 'setAt'] as const

export const listRules = (db: Db): Promise<Array<Pick<Rule, 'workspaceId' | 'teamId'>>> =>
  db
    .selectFrom('cycleRule as r')
    .innerJoin('team as t', join => join.onRef('t.workspaceId', '=', 'r.workspaceId').onRef('t.id', '=', 'r.teamId'))
    .select(['r.workspaceId', 'r.teamId'])
    .where('t.deletedAt', 'is', null)
    .execute()

const selectRule = (db: Db, workspaceId: Id, teamId: Id) =>
  db.selectFrom('cycleRule').select(ruleColumns).where('workspaceId', '=', workspaceId).where('teamId', '=', teamId)

export const findRule = (db: Db, workspaceId: Id, teamId: Id): Promise<Rule | undefined> =>
  selectRule(db, workspaceId, teamId).executeTakeFirst()

export const lockRule = (trx: Trx, workspaceId: Id, teamId: Id): Promise<Rule | undefined> =>
  selectRule(trx, workspaceId, teamId).forNoKeyUpdate().executeTakeFirst()

/** A team that has a rule keeps its `setAt`. */
export const putRule = (trx: Trx, rule: Rule): Promise<Rule> =>
  trx
    .insertInto('cycleRule')
    .values(rule)
    .onConflict(conflict =>
      conflict.columns(['workspaceId', 'teamId']).doUpdateSet(({ ref }) => ({
        weeks: ref('excluded.weeks'),
        startDay: ref('excluded.startDay'),
        carryOver: ref('excluded.carryOver'),
        setById: ref('excluded.setById')
      }))
    )
    .returning(ruleColumns)
    .executeTakeFirstOrThrow()

export const deleteRule = (trx: Trx, workspaceId: Id, teamId: Id) =>
  trx.deleteFrom('cycleRule').where('workspaceId', '=', workspaceId).where('teamId', '=', teamId).execute()

/** Raw: a part of another statement. */
export const ruleOfTeam = (workspaceId: WorkspaceId) => sql`(
  select json_build_object('weeks', r.weeks, 'startDay', r.start_day, 'carryOver', r.carry_over)
  from cycle_rule r where r.workspace_id = ${workspaceId} and r.team_id = team.id)`
