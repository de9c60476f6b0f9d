import { sql, type QueryCreator, type RawBuilder } from 'kysely'
import { iso, notDeletedIn, positionOf, removeRows, statement } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Tables, UnmanagedDb } from '../context.ts'
import type { Harness, SessionWork } from '../contract.ts'
import { CONSUMER, writeEvents } from '../writes.ts'

/** Maximum issues in one reminder; the others follow at the next event. */
export const MAX_ISSUES = 20
/** Minutes without a write by the agent after which it is reminded of an issue. */
export const QUIET_MINUTES = 20

export interface SessionEvent extends Record<string, unknown> {
  workspaceId: Id
  id: Id
  accountId: Id
  harness: Harness
  name: string
  /** True if the session starts or resumes with this event. */
  begins: boolean
  at: Date
}

export interface HeldIssue {
  key: string
  title: string
  criteriaMet: number
  criteriaTotal: number
  /** All of the agent's issues in progress, including those without a reminder. */
  inProgress: number
  /** True if its claim has expired: any agent may take it. */
  hasLapsed: boolean
}

/**
 * Which issues a session is reminded of. Reminders are stored, so that of several concurrent events only one sends a
 * reminder that is to be sent once.
 */
interface ReminderRule {
  /** Over `held` and `told`, the stored reminder (all null: none): true if a reminder is due. */
  isDue: RawBuilder<boolean>
  /** Over `held`: the beginning of the quiet time for the reminder. */
  remindedOf: RawBuilder<Date | null>
  /** Over `hook_session_issue`, the stored row, and `excluded`, the new one: true if another reminder is due. */
  isDueAgain: RawBuilder<boolean>
}
const EVERY_TIME: ReminderRule = {
  isDue: sql`true`,
  remindedOf: sql`null::timestamptz`,
  isDueAgain: sql`true`
}
const FIRST_TIME: ReminderRule = {
  isDue: sql`told.issue_id is null`,
  remindedOf: sql`null::timestamptz`,
  isDueAgain: sql`false`
}
const AFTER_QUIET_TIME: ReminderRule = {
  isDue: sql`
    held.quiet_since <= held.now - make_interval(mins => ${sql.lit(QUIET_MINUTES)})
    and (told.reminded_of is null or told.reminded_of < held.quiet_since)`,
  remindedOf: sql`held.quiet_since`,
  isDueAgain: sql`
    hook_session_issue.reminded_of is null or hook_session_issue.reminded_of < excluded.reminded_of`
}

/** Each is one statement, which stores the session's activity and its reminders, and returns these. */
interface SessionQueries {
  all(db: UnmanagedDb, event: SessionEvent): Promise<HeldIssue[]>
  /** Issues without a reminder in the session. */
  untold(db: UnmanagedDb, event: SessionEvent): Promise<HeldIssue[]>
  /** Issues without a write by the agent for `QUIET_MINUTES` of the session; each once in a quiet time. */
  quiet(db: UnmanagedDb, event: SessionEvent): Promise<HeldIssue[]>
}

/** The last write of the session's account to the row `issue`: from `hook_write`, or from a later event of the log. */
const lastWrite = (workspaceId: RawBuilder<Id>) => sql`greatest(
  (select w.at from hook_write w
  where w.workspace_id = ${workspaceId} and w.account_id = session.account_id and w.issue_id = issue.id),
  (select max(e.at) from event e
  where e.workspace_id = ${workspaceId} and e.issue_id = issue.id and e.actor_id = session.account_id
    and e.type in (${sql.join(writeEvents.map(({ name }) => sql.lit(name)))})
    and e.position > ${positionOf(CONSUMER)}))`

type Parameters = { [K in keyof SessionEvent]: RawBuilder<SessionEvent[K]> }
type With<T extends object> = QueryCreator<Tables & T>
type RowOf<Q extends (...parameters: never[]) => { execute(): Promise<unknown[]> }> = Awaited<
  ReturnType<ReturnType<Q>['execute']>
>[number]

const storeSession = (cte: With<object>, event: Parameters) =>
  cte
    .insertInto('hookSession')
    .values({
      workspaceId: event.workspaceId,
      id: event.id,
      accountId: event.accountId,
      harness: event.harness,
      name: event.name,
      startedAt: event.at,
      seenAt: event.at
    })
    .onConflict(conflict =>
      conflict.columns(['workspaceId', 'accountId', 'harness', 'name']).doUpdateSet({
        seenAt: ({ ref }) => ref('excluded.seenAt'),
        startedAt: sql<Date>`
          case when ${event.begins}::boolean then excluded.started_at else hook_session.started_at end`
      })
    )
    .returning(['id', 'accountId', 'name', 'startedAt', 'seenAt'])
type Session = { session: RowOf<typeof storeSession> }

const NOW = sql<Date>`session.seen_at`
const not = (condition: RawBuilder<boolean>) => sql<boolean>`not ${condition}`
/** But for those that another session of the agent works on. */
const heldIssues = (cte: With<Session>, event: Parameters, work: SessionWork | undefined) =>
  cte
    .selectFrom('session')
    .innerJoin('issue', join =>
      join.on(notDeletedIn(event.workspaceId, 'issue')).onRef('issue.assigneeId', '=', 'session.accountId')
    )
    .innerJoin('workflowState as state', join =>
      join
        .on('state.workspaceId', '=', event.workspaceId)
        .onRef('state.id', '=', 'issue.stateId')
        .on('state.category', '=', sql.lit('STARTED'))
    )
    .innerJoin('team', join =>
      join.on('team.workspaceId', '=', event.workspaceId).onRef('team.id', '=', 'issue.teamId')
    )
    .where(not(work?.isOfOtherSession(event.workspaceId, sql`session.name`, NOW) ?? sql`false`))
    .select([
      'session.id as sessionId',
      'session.seenAt as now',
      'issue.id as issueId',
      sql<string>`team.identifier || '-' || issue.number`.as('key'),
      'issue.title',
      'issue.criteriaMet',
      'issue.criteriaTotal',
      (work?.hasLapsed(event.workspaceId, NOW) ?? sql<boolean>`false`).as('hasLapsed'),
      sql<number>`count(*) over ()`.as('inProgress'),
      sql<Date>`greatest(session.started_at, ${lastWrite(event.workspaceId)})`.as('quietSince'),
      sql<number>`row_number() over (order by issue.assigned_at desc, issue.id desc)`.as('position')
    ])
type HeldIssues = { held: RowOf<typeof heldIssues> }

const chosenIssues = (cte: With<HeldIssues>, event: Parameters, rule: ReminderRule) =>
  cte
    .selectFrom('held')
    .leftJoin('hookSessionIssue as told', join =>
      join
        .on('told.workspaceId', '=', event.workspaceId)
        .onRef('told.sessionId', '=', 'held.sessionId')
        .onRef('told.issueId', '=', 'held.issueId')
    )
    .selectAll('held')
    .select(rule.remindedOf.as('remindedOf'))
    .where(rule.isDue)
    .orderBy('held.position')
    .limit(sql.lit(MAX_ISSUES))
type ChosenIssues = { chosen: RowOf<typeof chosenIssues> }

/** One of concurrent events stores, and sends, each. */
const storeTold = (cte: With<ChosenIssues>, event: Parameters, rule: ReminderRule) =>
  cte
    .insertInto('hookSessionIssue')
    .columns(['workspaceId', 'sessionId', 'issueId', 'remindedOf', 'toldAt'])
    .expression(eb =>
      eb
        .selectFrom('chosen')
        .select([
          sql<Id>`${event.workspaceId}::uuid`.as('workspaceId'),
          'chosen.sessionId',
          'chosen.issueId',
          'chosen.remindedOf',
          'chosen.now'
        ])
    )
    .onConflict(conflict =>
      conflict
        .columns(['workspaceId', 'sessionId', 'issueId'])
        .doUpdateSet({
          remindedOf: sql<Date | null>`coalesce(excluded.reminded_of, hook_session_issue.reminded_of)`,
          toldAt: ({ ref }) => ref('excluded.toldAt')
        })
        .where(rule.isDueAgain)
    )
    .returning('hookSessionIssue.issueId')

const makeStatement = (name: string, rule: ReminderRule, work: SessionWork | undefined) =>
  statement<SessionEvent, HeldIssue, Tables>(
    import.meta,
    name,
    (event, db) =>
      db
        .with('session', cte => storeSession(cte, event))
        .with('held', cte => heldIssues(cte, event, work))
        .with('chosen', cte => chosenIssues(cte, event, rule))
        .with('stored', cte => storeTold(cte, event, rule))
        .selectFrom('chosen')
        .innerJoin('stored', 'stored.issueId', 'chosen.issueId')
        .select([
          'chosen.key',
          'chosen.title',
          'chosen.criteriaMet',
          'chosen.criteriaTotal',
          'chosen.inProgress',
          'chosen.hasLapsed'
        ])
        .orderBy('chosen.position'),
    'write'
  )

export const makeSessionQueries = (work: SessionWork | undefined): SessionQueries => ({
  all: makeStatement('all', EVERY_TIME, work),
  untold: makeStatement('untold', FIRST_TIME, work),
  quiet: makeStatement('quiet', AFTER_QUIET_TIME, work)
})

/** Each session with its last reminder, newest first. */
export const listReminders = (db: Db, workspaceId: Id, issueId: Id, limit: number) =>
  db
    .selectFrom('hookSessionIssue as told')
    .innerJoin('hookSession as session', join =>
      join.on('session.workspaceId', '=', workspaceId).onRef('session.id', '=', 'told.sessionId')
    )
    .innerJoin('account', join =>
      join.on('account.workspaceId', '=', workspaceId).onRef('account.id', '=', 'session.accountId')
    )
    .select([
      'session.id',
      iso('told.told_at').as('at'),
      sql<{ id: Id; fullname: string }>`json_build_object('id', account.id, 'fullname', account.fullname)`.as(
        'account'
      ),
      'session.harness',
      'session.name as session',
      sql<string | null>`${iso('told.reminded_of')}`.as('quietSince')
    ])
    .where('told.workspaceId', '=', workspaceId)
    .where('told.issueId', '=', issueId)
    .orderBy('told.toldAt', 'desc')
    .orderBy('session.id', 'desc')
    .limit(limit)
    .execute()

export async function removeSessions(db: Db, at: Date): Promise<void> {
  await removeRows(db, 'hook_session', ['workspace_id', 'id'], sql`old.seen_at < ${at}`)
  await removeRows(db, 'hook_write', ['workspace_id', 'account_id', 'issue_id'], sql`old.at < ${at}`)
}
