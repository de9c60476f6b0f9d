import { sql, type Transaction } from 'kysely'
import { Type } from 'typebox'
import { existing } from '../../core/db/existing.ts'
import { jsonRows } from '../../core/db/sql.ts'
import { updatedEvents } from '../../core/events/changes.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import { newId } from '../../core/id.ts'
import { Color, Line } from '../../core/schemas.ts'
import { recordKind } from '../transfer/contract.ts'
import {
  CLOSING_CRITERIA,
  labelCreated,
  STATE_CATEGORIES,
  stateCreated,
  stateDeleted,
  teamCreated,
  teamUpdated,
  useCounts,
  type WorkspaceTables
} from './contract.ts'
import type { Ctx } from './context.ts'

type Trx = Transaction<CoreTables & WorkspaceTables>
const GRAY = '#94a3b8'

/**
 * Teams with their states. A team that is there keeps its states and gets those that it lacks; one that nothing is in
 * yet becomes as it stands in the file.
 */
export const teamRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'team',
    summary:
      'A team that is there keeps its states and gets those that it lacks; one without issues takes the file’s name\n' +
      'and states instead of its own.',
    table: 'team',
    fields: {
      identifier: Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9]{0,9}$',
        maxLength: 10,
        description: 'A letter, then letters and digits: with it the keys of its issues begin.'
      }),
      name: Line(200),
      closingCriteria: Type.Optional(
        Type.Enum([...CLOSING_CRITERIA], { description: 'Asked before an issue is completed; default: ANY.' })
      ),
      states: Type.Array(
        Type.Object(
          {
            name: Line(100),
            category: Type.Enum([...STATE_CATEGORIES]),
            position: Type.Optional(Type.Number()),
            color: Type.Optional(Color)
          },
          { additionalProperties: false }
        ),
        { minItems: 1, maxItems: 200 }
      )
    },
    rows: workspaceId => sql`
    select t.identifier, t.name, nullif(t.closing_criteria, 'ANY') as "closingCriteria", ${jsonRows(sql`
      select s.name, s.category, s.position, s.color
      from workflow_state s
      where ${existing(workspaceId, 's')} and s.team_id = t.id
      order by s.position, s.name`)} as states
    from team t where ${existing(workspaceId, 't')} order by t.identifier`,
    async add({ trx, caller, workspaceId, items, now, skip, isThere }) {
      const db: Trx = trx
      for (const item of items) {
        const { name, states, closingCriteria = 'ANY' } = item.record
        const identifier = item.record.identifier.toUpperCase()
        const team = await db
          .selectFrom('team')
          .select(['id', 'name', 'closingCriteria', 'deletedAt'])
          .where('workspaceId', '=', workspaceId)
          .where(sql`upper(identifier)`, '=', identifier)
          .executeTakeFirst()
        if (team?.deletedAt) {
          skip(item, `a team ${identifier} was deleted, and its issues' keys must not mean others`)
          continue
        }
        const teamId = team?.id ?? item.id
        if (team === undefined) {
          await db
            .insertInto('team')
            .values({ workspaceId, id: teamId, identifier, name, closingCriteria, createdAt: now })
            .execute()
          const created = { subjectId: teamId, subjectKey: identifier, data: { identifier, name } }
          await ctx.emit(trx, teamCreated, caller, [created])
        } else isThere(item, teamId)
        if (team !== undefined && !(await isUsed(ctx, db, workspaceId, teamId))) {
          await db
            .updateTable('team')
            .set({ name, closingCriteria })
            .where('workspaceId', '=', workspaceId)
            .where('id', '=', teamId)
            .execute()
          const removed = await db
            .updateTable('workflowState')
            .set({ deletedAt: now })
            .where(existing(workspaceId))
            .where('teamId', '=', teamId)
            .returning(['id', 'teamId', 'name', 'category'])
            .execute()
          await ctx.emit(
            trx,
            teamUpdated,
            caller,
            updatedEvents(team, { ...team, name, closingCriteria }, ['name', 'closingCriteria'])
          )
          await ctx.emit(
            trx,
            stateDeleted,
            caller,
            removed.map(({ id, ...data }) => ({ subjectId: id, data }))
          )
        }
        const there = await db
          .selectFrom('workflowState')
          .select('name')
          .where(existing(workspaceId))
          .where('teamId', '=', teamId)
          .execute()
        const names = new Set(there.map(state => state.name.toLowerCase()))
        const lacking = states
          .map((state, n) => ({ position: n, color: GRAY, ...state }))
          .filter(state => !names.has(state.name.toLowerCase()) && names.add(state.name.toLowerCase()))
        if (lacking.length > 0) {
          const made = await db
            .insertInto('workflowState')
            .values(lacking.map(state => ({ workspaceId, id: newId(), teamId, ...state, createdAt: now })))
            .returning(['id', 'teamId', 'name', 'category'])
            .execute()
          await ctx.emit(
            trx,
            stateCreated,
            caller,
            made.map(({ id, ...data }) => ({ subjectId: id, data }))
          )
        }
      }
    }
  })

async function isUsed({ contributions }: Ctx, db: Trx, workspaceId: Id, teamId: Id): Promise<boolean> {
  for (const { item: count } of contributions(useCounts)) {
    if ((await count(db, workspaceId, 'team', teamId)) > 0) return true
  }
  return false
}

/** A label is the one with the same name. */
export const labelRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'label',
    summary: 'A label is the one with the same name. Labels that only issues name are made, too.',
    table: 'label',
    fields: { name: Line(100), color: Type.Optional(Color) },
    rows: workspaceId => sql`
      select l.name, l.color
      from label l
      where ${existing(workspaceId, 'l')}
      order by lower(l.name)`,
    async add({ trx, caller, workspaceId, items, now, isThere }) {
      const db: Trx = trx
      for (const item of items) {
        const { name, color = GRAY } = item.record
        const made = await db
          .insertInto('label')
          .values({ workspaceId, id: item.id, name, color, createdAt: now })
          .onConflict(c => c.doNothing())
          .executeTakeFirstOrThrow()
        if (made.numInsertedOrUpdatedRows === 0n) isThere(item)
        else await ctx.emit(trx, labelCreated, caller, [{ subjectId: item.id, data: { name, color } }])
      }
    }
  })
