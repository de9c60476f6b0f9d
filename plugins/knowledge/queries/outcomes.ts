import { sql, type RawBuilder } from 'kysely'
import { newId, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { Doubt, Outcome, STANDINGS } from '../contract.ts'

export interface Standing {
  helped: number
  wrong: number
  /** Issues that it was served for, by how they ended. */
  completed: number
  canceled: number
  reopened: number
}

/** The rows `standing` of the entries `e`. Raw: a part of other statements. */
export const standingOf = (workspaceId: Id): RawBuilder<unknown> => sql`
  cross join lateral (
    select marks.*, outcomes.* from
      (select count(*) filter (where m.is_helpful)::int as helped,
          count(*) filter (where not m.is_helpful)::int as wrong
        from knowledge_mark m where m.workspace_id = ${workspaceId} and m.entry_id = e.id) marks,
      (select count(*) filter (where o.outcome = 'COMPLETED')::int as completed,
          count(*) filter (where o.outcome = 'CANCELED')::int as canceled,
          count(*) filter (where o.outcome = 'REOPENED')::int as reopened
        from knowledge_outcome o where o.workspace_id = ${workspaceId} and o.entry_id = e.id) outcomes) standing`

export const standingJson = sql<Standing>`to_json(standing)`

export const hasStanding = (workspaceId: Id): Record<(typeof STANDINGS)[number], RawBuilder<boolean>> => ({
  HELPED: sql`standing.helped > 0`,
  UNHELPED: sql`standing.helped = 0 and exists (
    select 1 from knowledge_serving v where v.workspace_id = ${workspaceId} and v.entry_id = e.id)`,
  WRONG: sql`standing.wrong > 0`,
  DOUBTED: sql`e.doubt is not null`
})

/** Marks that every entry is assumed to have beside its own, half of them helpful. */
const PRIOR_MARKS = 4
/** Outcomes count as parts of a mark: most issues are completed, whatever was served for them. */
const WEIGHT_OF_COMPLETED = 0.05
const WEIGHT_OF_REOPENED = 0.45

/** The share of cases in which an entry helped, smoothed: 0 to 1, .5 where nothing is known. */
const usefulness = sql<number>`
  ((${PRIOR_MARKS} / 2.0 + standing.helped + ${WEIGHT_OF_COMPLETED}::float * standing.completed)
  / (${PRIOR_MARKS} + standing.helped + standing.wrong + ${WEIGHT_OF_COMPLETED}::float * standing.completed
    + ${WEIGHT_OF_REOPENED}::float * standing.reopened))::double precision`

/** The factor of a score, 0.5 to 1.5; less by half where an entry is disputed or doubtful. */
export const trust = sql<number>`
  (0.5 + ${usefulness}) * case when e.status = 'DISPUTED' or e.doubt is not null then 0.5 else 1 end`

export interface Change {
  issueId: Id
  fromStateId: Id | null
}

/** Issues that are open, and were in a closed state. */
export async function listReopened(db: Db, workspaceId: Id, changes: readonly Change[]): Promise<Id[]> {
  // Raw: rows of arrays, joined with three tables.
  const { rows } = await sql<{ id: Id }>`
    select distinct issue.id
    from unnest(
      ${changes.map(({ issueId }) => issueId)}::uuid[],
      ${changes.map(({ fromStateId }) => fromStateId)}::uuid[]) as changed (issue_id, state_id)
    join issue on issue.workspace_id = ${workspaceId} and issue.id = changed.issue_id
    join workflow_state before on before.workspace_id = ${workspaceId} and before.id = changed.state_id
    join workflow_state state on state.workspace_id = ${workspaceId} and state.id = issue.state_id
    where before.category in ('COMPLETED', 'CANCELED') and state.category not in ('COMPLETED', 'CANCELED')`.execute(db)
  return rows.map(({ id }) => id)
}

interface OutcomeRow {
  entryId: Id
  issueId: Id
  /** Null: none, or none any more. */
  outcome: Outcome | null
}

/**
 * The outcomes of issues for which entries were served, where they differ from the stored ones: a row for each entry
 * and issue, in the order of their keys. An issue that is completed without its criteria has no outcome.
 */
export async function listOutcomes(trx: Trx, workspaceId: Id, issueIds: readonly Id[]): Promise<OutcomeRow[]> {
  // Raw: a case over three tables, which the builder only makes longer.
  const { rows } = await sql<OutcomeRow>`
    select entry_id, issue_id, outcome from (select distinct v.entry_id, v.issue_id, o.outcome as stored, case
        when state.category = 'COMPLETED' then case when issue.criteria_met >= issue.criteria_total then 'COMPLETED' end
        when state.category = 'CANCELED' then 'CANCELED'
        when o.entry_id is not null then 'REOPENED' end as outcome
    from knowledge_serving v
    join issue on issue.workspace_id = ${workspaceId} and issue.id = v.issue_id and issue.deleted_at is null
    join workflow_state state on state.workspace_id = ${workspaceId} and state.id = issue.state_id
    left join knowledge_outcome o
      on o.workspace_id = ${workspaceId} and o.entry_id = v.entry_id and o.issue_id = v.issue_id
    where v.workspace_id = ${workspaceId} and v.issue_id = any(${issueIds}::uuid[])
    ) changed where outcome is distinct from stored order by 1, 2`.execute(trx)
  return rows
}

export async function writeOutcomes(trx: Trx, workspaceId: Id, rows: readonly OutcomeRow[], at: Date): Promise<void> {
  const known = rows.flatMap(({ entryId, issueId, outcome }) =>
    outcome === null ? [] : [{ workspaceId, entryId, issueId, outcome, at }]
  )
  if (known.length > 0) {
    await trx
      .insertInto('knowledgeOutcome')
      .values(known)
      .onConflict(conflict =>
        conflict.columns(['workspaceId', 'entryId', 'issueId']).doUpdateSet(({ ref }) => ({
          outcome: ref('excluded.outcome'),
          at: ref('excluded.at')
        }))
      )
      .execute()
  }
  for (const { entryId, issueId } of rows.filter(({ outcome }) => outcome === null)) {
    await trx
      .deleteFrom('knowledgeOutcome')
      .where('workspaceId', '=', workspaceId)
      .where('entryId', '=', entryId)
      .where('issueId', '=', issueId)
      .execute()
  }
}

/** But for those of `exceptOf`, who has seen the change. */
export const doubtEntries = (trx: Trx, workspaceId: Id, issueIds: readonly Id[], doubt: Doubt, exceptOf: Id | null) =>
  trx
    .updateTable('knowledgeEntry')
    .set({ doubt })
    .where(notDeletedIn(workspaceId))
    .where('issueId', 'in', [...issueIds])
    .where('status', '<>', 'SUPERSEDED')
    .$if(exceptOf !== null, query => query.where('createdById', '<>', exceptOf))
    .execute()

/** At most two. */
export async function findIds(db: Db, workspaceId: Id, from: Id, to: Id): Promise<Id[]> {
  const rows = await db
    .selectFrom('knowledgeEntry')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '>=', from)
    .where('id', '<=', to)
    .limit(2)
    .execute()
  return rows.map(({ id }) => id)
}

export interface Mark {
  entryId: Id
  isHelpful: boolean
}
/** In place of the account's earlier ones. */
export const writeMarks = (
  trx: Trx,
  common: { workspaceId: Id; accountId: Id; issueId: Id | null; at: Date },
  marks: readonly Mark[]
) =>
  trx
    .insertInto('knowledgeMark')
    .values(marks.map(mark => ({ ...common, ...mark, id: newId() })))
    .onConflict(conflict =>
      conflict.columns(['workspaceId', 'entryId', 'accountId', 'issueId']).doUpdateSet(({ ref }) => ({
        isHelpful: ref('excluded.isHelpful'),
        at: ref('excluded.at')
      }))
    )
    .execute()

export const trustEntries = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .updateTable('knowledgeEntry')
    .set({ doubt: null })
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', [...ids])
    .where('doubt', 'is not', null)
    .execute()
