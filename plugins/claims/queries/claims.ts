import { sql, type RawBuilder } from 'kysely'
import { databaseTime, jsonObject, jsonRow, statement } from '../../../core/api/database/queries.ts'
import type { Id, WorkspaceId } from '../../../core/api/database/types.ts'
import type { Claim, Claimed, ClaimedIssue, Lease } from '../claim.ts'
import type { Db, Trx } from '../context.ts'

/** Days for which late writes under a claim that was taken are refused. */
export const LOST_DAYS = 7

type ClaimJson = Omit<Claim, 'since' | 'expiresAt' | 'lapsedAt' | 'endedAt'> &
  Record<'since', string> &
  Record<'expiresAt' | 'lapsedAt' | 'endedAt', string | null>
export type ClaimedJson = Omit<Claimed, 'claim' | 'lostAt' | 'at'> & { claim: ClaimJson | null; at: string }

const timeIn = (text: string | null) => (text === null ? null : new Date(text))
export const claimedFrom = ({ claim, at, ...rest }: ClaimedJson, lostAt: Date | null = null): Claimed => ({
  ...rest,
  at: new Date(at),
  lostAt,
  claim: claim && {
    ...claim,
    since: new Date(claim.since),
    expiresAt: timeIn(claim.expiresAt),
    lapsedAt: timeIn(claim.lapsedAt),
    endedAt: timeIn(claim.endedAt)
  }
})

type Sql<T> = RawBuilder<T>
const accountOf = (id: Sql<unknown>, workspaceId: WorkspaceId, also = sql``) =>
  jsonRow(sql`
  select a.id, a.fullname, a.kind from account a where a.workspace_id = ${workspaceId} and a.id = ${id} ${also}`)

/** Over the row `issue`: its claim as an account sees it. @param at `databaseTime` */
const claimedJson = (workspaceId: WorkspaceId, accountId: Sql<Id | null>, at: Sql<Date>): Sql<ClaimedJson> => {
  const hasCategory = (categories: Sql<unknown>) => sql`exists (
    select from workflow_state s
    where s.workspace_id = ${workspaceId} and s.id = issue.state_id and s.category in ${categories})`
  return jsonObject<ClaimedJson>({
    at,
    callerKind: sql`(select a.kind from account a where a.workspace_id = ${workspaceId} and a.id = ${accountId}::uuid)`,
    isClosed: sql`(issue.deleted_at is not null or ${hasCategory(sql`('COMPLETED', 'CANCELED')`)})`,
    nextHolder: sql`case when issue.deleted_at is null and ${hasCategory(sql`('STARTED')`)}
      then ${accountOf(sql`issue.assignee_id`, workspaceId, sql`and a.deleted_at is null`)} end`,
    claim: jsonRow(sql`
      select ${accountOf(sql`c.holder_id`, workspaceId)} as holder, c.session, c.since, c.expires_at as "expiresAt",
        c.lapsed_at as "lapsedAt", c.ended_at as "endedAt", c.is_given_back as "isGivenBack", c.fence
      from issue_claim c where c.workspace_id = ${workspaceId} and c.issue_id = issue.id`)
  })
}

/** `claimedJson` for a statement that is built for one request. */
export const claimedByWrite = (workspaceId: Id, accountId: Id, at: Sql<Date>) =>
  claimedJson(sql`${workspaceId}::uuid`, sql`${accountId}::uuid`, at)

/** Also one that was removed. */
export const lockIssue = (trx: Trx, workspaceId: Id, issueId: Id) =>
  trx
    .selectFrom('issue')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', issueId)
    .forNoKeyUpdate()
    .execute()

interface ClaimRequest extends Record<string, unknown> {
  workspaceId: Id
  issueIds: readonly Id[]
  accountId: Id | null
  /** Empty: unnamed. */
  session: string
  /** `movedTime()` */
  moved: Date | null
}
// Raw, because of `claimedJson`.
const claims = statement<ClaimRequest, { id: Id; key: string; claimed: ClaimedJson; lostAt: Date | null }>(
  import.meta,
  'claims',
  ({ workspaceId, issueIds, accountId, session, moved }) => sql`
  select issue.id, team.identifier || '-' || issue.number as key,
    ${claimedJson(workspaceId, accountId, databaseTime(moved))} as claimed,
    (select max(l.lost_at) from issue_lost_claim l
      where l.workspace_id = ${workspaceId} and l.issue_id = issue.id and l.account_id = ${accountId}::uuid
        and (l.session = '' or ${session}::text = '' or l.session = ${session}::text)
        and l.lost_at > ${databaseTime(moved)} - make_interval(days => ${sql.lit(LOST_DAYS)})) as "lostAt"
  from issue join team on team.workspace_id = issue.workspace_id and team.id = issue.team_id
  where issue.workspace_id = ${workspaceId} and issue.id = any(${issueIds}::uuid[])
  order by issue.id`
)

export async function readClaims(trx: Trx, request: ClaimRequest): Promise<ClaimedIssue[]> {
  const rows = await claims(trx, request)
  return rows.map(({ id, key, claimed, lostAt }) => ({ id, key, ...claimedFrom(claimed, lostAt) }))
}

export async function writeClaims(
  trx: Trx,
  workspaceId: Id,
  claims: ReadonlyArray<{ issueId: Id; claim: Claim }>
): Promise<void> {
  const rows = claims.map(({ issueId, claim: { holder, ...claim } }) => ({
    workspaceId,
    issueId,
    holderId: holder.id,
    ...claim
  }))
  await trx
    .insertInto('issueClaim')
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(['workspaceId', 'issueId']).doUpdateSet(({ ref }) => ({
        holderId: ref('excluded.holderId'),
        session: ref('excluded.session'),
        since: ref('excluded.since'),
        expiresAt: ref('excluded.expiresAt'),
        lapsedAt: ref('excluded.lapsedAt'),
        endedAt: ref('excluded.endedAt'),
        isGivenBack: ref('excluded.isGivenBack'),
        fence: ref('excluded.fence')
      }))
    )
    .execute()
}

export const addLapses = (trx: Trx, workspaceId: Id, lapses: ReadonlyArray<{ issueId: Id; at: Date; holderId: Id }>) =>
  trx
    .insertInto('issueClaimLapse')
    .values(lapses.map(lapse => ({ workspaceId, ...lapse })))
    .onConflict(conflict => conflict.doNothing())
    .execute()

interface FormerHolder {
  issueId: Id
  accountId: Id
  session: string | null
}

export async function addLostClaims(trx: Trx, workspaceId: Id, lost: readonly FormerHolder[], at: Date): Promise<void> {
  await trx
    .insertInto('issueLostClaim')
    .values(lost.map(({ session, ...row }) => ({ workspaceId, ...row, session: session ?? '', lostAt: at })))
    .onConflict(conflict =>
      conflict.columns(['workspaceId', 'issueId', 'accountId', 'session']).doUpdateSet({ lostAt: at })
    )
    .execute()
}

/** Removes losses of holders that have the issue again; a holder without a session had it in all of its sessions. */
export async function removeLostClaim(
  trx: Trx,
  workspaceId: Id,
  { issueId, accountId, session }: FormerHolder
): Promise<void> {
  await trx
    .deleteFrom('issueLostClaim')
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where('accountId', '=', accountId)
    .$if(session !== null, query => query.where('session', 'in', ['', session!]))
    .execute()
}

/** @param at `databaseTime` */
export const removeOldLosses = (trx: Trx, at: Sql<Date>) =>
  trx
    .deleteFrom('issueLostClaim')
    .where('lostAt', '<', sql<Date>`${at} - make_interval(days => ${LOST_DAYS})`)
    .execute()

/**
 * Extends the claims of an agent, unless that was done less than an interval ago: those of its account, and those of
 * the session; without a session those of the only one that has claims. It takes no lock on the issues and waits for
 * none: a claim that somebody is changing is skipped.
 * @param at `databaseTime`
 */
export async function renewClaims(
  trx: Trx,
  { workspaceId, accountId, session }: { workspaceId: Id; accountId: Id; session: string | undefined },
  at: Sql<Date>,
  { durationMs, renewalIntervalMs }: Lease
): Promise<void> {
  // Null when there are several.
  const onlySession = () =>
    trx
      .selectFrom('issueClaim as named')
      .select(sql<string>`case when min(named.session) = max(named.session) then min(named.session) end`.as('session'))
      .where('named.workspaceId', '=', workspaceId)
      .where('named.holderId', '=', accountId)
      .where('named.endedAt', 'is', null)
      .where('named.expiresAt', '>', at)
  await trx
    .updateTable('issueClaim')
    .set({ expiresAt: later(at, durationMs) })
    .where('workspaceId', '=', workspaceId)
    .where('issueId', 'in', ({ selectFrom }) =>
      selectFrom('issueClaim as own')
        .select('own.issueId')
        .where('own.workspaceId', '=', workspaceId)
        .where('own.holderId', '=', accountId)
        .where('own.endedAt', 'is', null)
        .where('own.lapsedAt', 'is', null)
        .where(({ eb }) => eb('own.session', 'is', null).or('own.session', '=', session ?? onlySession()))
        .where('own.expiresAt', '>', at)
        .where('own.expiresAt', '<=', later(at, durationMs - renewalIntervalMs))
        .orderBy('own.issueId')
        .forUpdate()
        .skipLocked()
    )
    .execute()
}

const later = (at: Sql<Date>, ms: number) => sql<Date>`${at} + make_interval(secs => ${ms / 1000})`

export const listHeldBy = (db: Db, workspaceId: Id, accountId: Id) =>
  db
    .selectFrom('issueClaim')
    .select('issueId')
    .where('workspaceId', '=', workspaceId)
    .where('holderId', '=', accountId)
    .where('endedAt', 'is', null)
    .execute()

/** Issues of all workspaces whose claim does not match their assignee and state. */
export async function listUnkept(db: Db, limit: number) {
  const joins = sql`
    join workflow_state state on state.workspace_id = issue.workspace_id and state.id = issue.state_id
    left join account assignee on assignee.workspace_id = issue.workspace_id and assignee.id = issue.assignee_id`
  const isBegun = sql`(issue.deleted_at is null and state.category = 'STARTED'
    and assignee.id is not null and assignee.deleted_at is null)`
  // Raw: a union, so that an index answers either half. Few issues are in progress, and few claims have not ended.
  const { rows } = await sql<{ workspaceId: Id; issueId: Id }>`
    select c.workspace_id as "workspaceId", c.issue_id as "issueId" from issue_claim c
    join issue on issue.workspace_id = c.workspace_id and issue.id = c.issue_id ${joins}
    where c.ended_at is null and (c.holder_id = assignee.id and ${isBegun}) is not true
    union
    select issue.workspace_id, issue.id from issue ${joins}
    where ${isBegun} and not exists (
      select from issue_claim c
      where c.workspace_id = issue.workspace_id and c.issue_id = issue.id and c.ended_at is null)
    limit ${limit}`.execute(db)
  return rows
}

export async function listDueClaims(db: Db, at: Sql<Date>, limit: number) {
  return db
    .selectFrom('issueClaim')
    .select(['workspaceId', 'issueId'])
    .where('endedAt', 'is', null)
    .where('lapsedAt', 'is', null)
    .where('expiresAt', '<=', at)
    .orderBy('expiresAt')
    .limit(limit)
    .execute()
}

export async function countClaims(db: Db, at: Sql<Date>): Promise<{ active: number; lapsed: number }> {
  return db
    .selectFrom('issueClaim')
    .select(({ fn, eb, or }) => [
      fn
        .countAll<number>()
        .filterWhere(or([eb('expiresAt', 'is', null), eb('expiresAt', '>', at)]))
        .as('active'),
      fn.countAll<number>().filterWhere('expiresAt', '<=', at).as('lapsed')
    ])
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
}
