import { sql, type Selectable } from 'kysely'
import { iso, removeRows } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db, UnmanagedDb } from '../context.ts'
import type { Kind, KnowledgeTables } from '../contract.ts'

/** An entry in an answer, with its recipient. */
export type Serving = Selectable<KnowledgeTables['knowledgeServing']>

/**
 * Stores servings without waiting for the disk, except on the embedded database: there an asynchronous commit would
 * save nothing and be lost with the process.
 */
export async function insertServings(db: UnmanagedDb, servings: readonly Serving[]): Promise<void> {
  const list = <K extends keyof Serving>(key: K) => servings.map(serving => serving[key])
  // Raw: one array for each column, so that the SQL does not depend on the number of rows.
  await sql`
    with setting as (
      select set_config('synchronous_commit', case current_setting('fsync') when 'on' then 'off' else 'on' end, true))
    insert into knowledge_serving (workspace_id, id, entry_id, token_id, issue_id, session, request_id, at)
    select s.* from setting, unnest(
      ${list('workspaceId')}::uuid[], ${list('id')}::uuid[], ${list('entryId')}::uuid[], ${list('tokenId')}::uuid[],
      ${list('issueId')}::uuid[], ${list('session')}::text[], ${list('requestId')}::text[],
      ${list('at')}::timestamptz[]) s
    on conflict (workspace_id, id) do nothing`.execute(db)
}

interface ServedRow {
  id: Id
  at: string
  token: { id: Id; name: string; account: { id: Id; fullname: string } }
  session: string | null
  requestId: string
}
const servedColumns = sql`
  v.id, ${iso('v.at')} as at, v.session, v.request_id, json_build_object(
    'id', t.id, 'name', t.name, 'account', json_build_object('id', a.id, 'fullname', a.fullname)) as token`
const joinToken = (workspaceId: Id) => sql`
  join token t on t.workspace_id = ${workspaceId} and t.id = v.token_id
  join account a on a.workspace_id = ${workspaceId} and a.id = t.account_id`

type ServedIssue = { key: string; title: string; state: { name: string; category: StateCategory } }

export async function listServings(db: Db, workspaceId: Id, entryId: Id, limit: number) {
  // Raw: six tables in nested JSON, which a builder only makes longer.
  const { rows } = await sql<ServedRow & { issue: ServedIssue | null }>`
    select ${servedColumns},
      case when issue.id is not null then json_build_object(
        'key', team.identifier || '-' || issue.number, 'title', issue.title,
        'state', json_build_object('name', state.name, 'category', state.category)) end as issue
    from knowledge_serving v ${joinToken(workspaceId)}
    left join issue on issue.workspace_id = ${workspaceId} and issue.id = v.issue_id and issue.deleted_at is null
    left join team on team.workspace_id = ${workspaceId} and team.id = issue.team_id
    left join workflow_state state on state.workspace_id = ${workspaceId} and state.id = issue.state_id
    where v.workspace_id = ${workspaceId} and v.entry_id = ${entryId} order by v.id desc limit ${limit}`.execute(db)
  return rows
}

/** Without removed entries, newest first. */
export async function listServingsOfIssue(db: Db, workspaceId: Id, issueId: Id, limit: number) {
  // Raw: it has the nested JSON of the listing above.
  const { rows } = await sql<ServedRow & { entry: { id: Id; kind: Kind; content: string } }>`
    select ${servedColumns}, json_build_object('id', e.id, 'kind', e.kind, 'content', e.content) as entry
    from knowledge_serving v
    join knowledge_entry e on e.workspace_id = ${workspaceId} and e.id = v.entry_id and e.deleted_at is null
    ${joinToken(workspaceId)}
    where v.workspace_id = ${workspaceId} and v.issue_id = ${issueId} order by v.id desc limit ${limit}`.execute(db)
  return rows
}

export const removeServings = (db: Db, at: Date): Promise<void> =>
  removeRows(db, 'knowledge_serving', ['workspace_id', 'id'], sql`old.at < ${at}`)
