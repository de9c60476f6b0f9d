import { expressionBuilder, sql } from 'kysely'
import { jsonObject, jsonRows, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'
import type { WorkspaceTables } from '../contract.ts'
import { categoryRank } from './teams.ts'

/** As JSON text. */
export async function directory(db: Db, workspaceId: Id): Promise<string> {
  const states = expressionBuilder<WorkspaceTables & { t: WorkspaceTables['team'] }, 't'>()
    .selectFrom('workflowState as s')
    .select(['s.id', 's.name', 's.category', 's.position'])
    .where(notDeletedIn(workspaceId, 's'))
    .whereRef('s.teamId', '=', 't.id')
    .orderBy(categoryRank)
    .orderBy('s.position')
    .orderBy('s.id')
  const teams = db
    .selectFrom('team as t')
    .select(['t.id', 't.identifier', 't.name', jsonRows(states).as('states')])
    .where(notDeletedIn(workspaceId, 't'))
    .orderBy('t.identifier')
  const labels = db
    .selectFrom('label as l')
    .select(['l.id', 'l.name'])
    .where(notDeletedIn(workspaceId, 'l'))
    .orderBy(sql`lower(l.name)`)
  const members = db
    .selectFrom('account as a')
    .select(['a.id', 'a.fullname', 'a.kind'])
    .where(notDeletedIn(workspaceId, 'a'))
    .orderBy(sql`lower(a.fullname)`)
    .orderBy('a.id')
  const json = jsonObject({
    id: sql.ref('w.id'),
    name: sql.ref('w.name'),
    teams: jsonRows(teams),
    labels: jsonRows(labels),
    members: jsonRows(members)
  })
  const row = await db
    .selectFrom('workspace as w')
    .select(sql<string>`${json}::text`.as('json'))
    .where('w.id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return row.json
}
