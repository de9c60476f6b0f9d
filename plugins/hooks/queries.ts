import { sql, type Kysely, type RawBuilder } from 'kysely'
import { statement } from '../../core/db/statement.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import type { IssuesTables } from '../issues/contract.ts'
import type { WorkspaceTables } from '../workspace/contract.ts'
import type { Harness, HooksTables, LastWrite } from './contract.ts'

type Db = Kysely<CoreTables & WorkspaceTables & IssuesTables & HooksTables>

/** Issues that are told at once; what is left over is told at the next event. */
const MOST_ISSUES = 20
/** Minutes without a write of the agent's after which it is reminded of an issue. */
export const QUIET_MINUTES = 20

/** An event of a session, of which the database may hear for the first time. */
export interface Visit extends Record<string, unknown> {
  workspaceId: Id
  /** The session's id, if it is new. */
  id: Id
  accountId: Id
  harness: Harness
  name: string
  /** Whether the session begins (again) with this event. */
  begins: boolean
  at: Date
}

/** An issue in progress: assigned to the agent, in a state of the category STARTED. */
export interface Held {
  key: string
  title: string
  criteriaMet: number
  criteriaTotal: number
  /** How many issues the agent has in progress, with those that are not told. */
  inProgress: number
}

/**
 * Which issues are told, and what of it is noted; of several events at once, only one tells what is to be told once.
 */
interface Telling {
  /** A condition over `held` and `told`, what the session was told of the issue so far (all null: nothing). */
  which: RawBuilder<boolean>
  remindedOf: RawBuilder<Date | null>
  /** What becomes of a note that is there; issues whose note stays as it is are not told. */
  again: RawBuilder<unknown>
}
const ALL: Telling = {
  which: sql`true`,
  remindedOf: sql`null`,
  again: sql`do update set reminded_of = note.reminded_of`
}
const UNTOLD: Telling = {
  which: sql`told.issue_id is null`,
  remindedOf: sql`null`,
  again: sql`do nothing`
}
const QUIET: Telling = {
  which: sql`held.quiet_since <= held.now - make_interval(mins => ${sql.lit(QUIET_MINUTES)}) and (told.reminded_of is null or told.reminded_of < held.quiet_since)`,
  remindedOf: sql`held.quiet_since`,
  again: sql`do update set reminded_of = excluded.reminded_of where note.reminded_of is null or note.reminded_of < excluded.reminded_of`
}

/** Each: one statement, which notes that the session was there and what it is told, and answers that. */
export interface SessionQueries {
  /** All issues in progress. */
  all(db: Db, visit: Visit): Promise<Held[]>
  /** Those that the session was not told of. */
  untold(db: Db, visit: Visit): Promise<Held[]>
  /** Those that had no write of the agent's for `QUIET_MINUTES` of the session; each once in a quiet time. */
  quiet(db: Db, visit: Visit): Promise<Held[]>
}

export function makeSessionQueries(lastWrites: readonly LastWrite[]): SessionQueries {
  const writes = lastWrites.map(lastWrite => lastWrite(sql`session.account_id`))
  const quietSince = sql`greatest(${sql.join([
    sql`session.started_at`,
    sql`case when issue.created_by_id = session.account_id then issue.created_at end`,
    sql`(select max(c.at) from issue_change c where c.workspace_id = issue.workspace_id and c.issue_id = issue.id and c.actor_id = session.account_id)`,
    ...writes
  ])})`

  const telling = ({ which, remindedOf, again }: Telling) =>
    statement<Visit, Held>(
      ({ workspaceId, id, accountId, harness, name, begins, at }) => sql`
    with session as (
      insert into hook_session as known (workspace_id, id, account_id, harness, name, started_at, seen_at)
      values (${workspaceId}, ${id}, ${accountId}, ${harness}, ${name}, ${at}, ${at})
      on conflict (workspace_id, account_id, harness, name) do update
      set seen_at = excluded.seen_at, started_at = case when ${begins}::boolean then excluded.started_at else known.started_at end
      returning *),
    held as (
      select issue.workspace_id, session.id as session_id, session.seen_at as now, issue.id as issue_id, team.identifier || '-' || issue.number as key,
        issue.title, issue.criteria_met, issue.criteria_total, count(*) over () as in_progress, ${quietSince} as quiet_since,
        row_number() over (order by issue.assigned_at desc, issue.id desc) as position
      from session
      join issue on issue.workspace_id = session.workspace_id and issue.assignee_id = session.account_id and issue.deleted_at is null
      join workflow_state state on state.workspace_id = issue.workspace_id and state.id = issue.state_id and state.category = 'STARTED'
      join team on team.workspace_id = issue.workspace_id and team.id = issue.team_id),
    chosen as (
      select held.*, ${remindedOf} as reminded_of
      from held left join hook_session_issue told using (workspace_id, session_id, issue_id)
      where ${which} order by position limit ${sql.lit(MOST_ISSUES)}),
    noted as (
      insert into hook_session_issue as note (workspace_id, session_id, issue_id, reminded_of)
      select workspace_id, session_id, issue_id, reminded_of::timestamptz from chosen
      on conflict (workspace_id, session_id, issue_id) ${again}
      returning issue_id)
    select key, title, criteria_met, criteria_total, in_progress from chosen join noted using (issue_id) order by position`
    )

  return { all: telling(ALL), untold: telling(UNTOLD), quiet: telling(QUIET) }
}

/** Forgets the sessions that were last heard of before `at`, of all workspaces. */
export const removeSessions = (db: Db, at: Date) => db.deleteFrom('hookSession').where('seenAt', '<', at).execute()
