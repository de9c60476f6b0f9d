import { sql, type RawBuilder } from 'kysely'
import { jsonRow, jsonRows, MAX_STATEMENT_BYTES, statement } from '../../../../core/api/database/queries.ts'
import type { BoundedList, Id, Reader, WorkspaceId } from '../../../../core/api/database/types.ts'
import type { ContextSection, IssueRef, IssuesDatabase, RowSection } from '../../contract.ts'
import type { Field } from '../../fields/field.ts'
import type { StateCategory } from '../../../workspace/contract.ts'
import { noIssue, parseIssueName } from '../../keys.ts'
import { openBlockers, withTeam } from '../filter/conditions.ts'
import { findFormerIssues } from './former-keys.ts'
import { contextSql, fullRow, issueJoins, listRow, namedRow } from './json.ts'

type Db = Reader<IssuesDatabase>
/** A query for one issue by id or key. @throws 404 */
type Read<T> = (db: Db, workspaceId: Id, ref: string) => Promise<T>

/**
 * One statement by id, and one by key; a former key costs one more. Raw: the columns are of other plugins, too.
 * @param read the columns, and the joins that they need beside team and state
 */
function readOne<Row>(
  name: string,
  read: (workspaceId: WorkspaceId) => { columns: RawBuilder<Row>; joins?: RawBuilder<unknown> }
): Read<Row> {
  const selection = (workspaceId: WorkspaceId) => {
    const { columns, joins = sql`` } = read(workspaceId)
    return sql<Row>`select ${columns} from issue ${issueJoins(workspaceId)} ${joins}`
  }
  const byId = statement<{ workspaceId: Id; id: Id }, Row>(
    import.meta,
    `${name}ById`,
    ({ workspaceId, id }) => sql`
    ${selection(workspaceId)}
    where issue.workspace_id = ${workspaceId} and issue.id = ${id} and issue.deleted_at is null`
  )
  const byKey = statement<{ workspaceId: Id; identifier: string; number: number }, Row>(
    import.meta,
    `${name}ByKey`,
    ({ workspaceId, identifier, number }) => sql`
    ${selection(workspaceId)}
    where issue.workspace_id = ${workspaceId} and issue.number = ${number}
      and upper(team.identifier) = ${identifier} and issue.deleted_at is null`
  )
  return async (db, workspaceId, ref) => {
    const name = parseIssueName(ref)
    if (name !== undefined) {
      const [row] = await ('id' in name ? byId(db, { workspaceId, ...name }) : byKey(db, { workspaceId, ...name }))
      if (row) return row
    }
    const id = (await findFormerIssues(db, workspaceId, [ref])).get(ref)?.id
    const [former] = id === undefined ? [] : await byId(db, { workspaceId, id })
    if (!former) throw noIssue(ref)
    return former
  }
}

export const findIssue: Read<IssueRef> = readOne('issue', () => ({
  columns: sql<IssueRef>`issue.id, team.identifier || '-' || issue.number as key, issue.team_id, issue.title`
}))

export const descriptionOf = readOne('description', () => ({
  columns: sql<{
    key: string
    descriptionMarkdown: string
    state: { id: Id; name: string; category: StateCategory }
  }>`
    team.identifier || '-' || issue.number as key, issue.description_markdown as "descriptionMarkdown",
    ${jsonRow(sql`select state.id, state.name, state.category`)} as state`
}))

export const openBlockersOf = readOne('openBlockers', workspaceId => ({
  columns: sql<{ blockers: object[] }>`${jsonRows(sql`
  select t.identifier || '-' || o.number as key, o.title, os.category as "stateCategory"
  from ${openBlockers(workspaceId, withTeam)}
  order by r.created_at, r.id`)} as blockers`
}))

interface ReadRow {
  json: string
  rev: number
  category: StateCategory
  hasUnmet: boolean
}

export interface ContextText {
  json: string
  extra: string | null
}

export interface IssueQueries {
  context: Read<ContextText>
  full: Read<ReadRow>
  /** `full`, with null as its JSON if `readLongIssue` must read it: a long text would delay other requests. */
  fullUnlessLong: Read<{ id: Id; rev: number; json: string | null }>
  withoutRaw: Read<ReadRow>
  list: Read<ReadRow>
  named: Read<ReadRow>
}

export const makeReads = (
  fields: readonly Field[],
  sections: readonly ContextSection[],
  rowSections: readonly RowSection[]
): IssueQueries => {
  const read = (name: string, row: (workspaceId: WorkspaceId) => RawBuilder<object>) =>
    readOne(name, workspaceId => ({
      columns: sql<ReadRow>`
        (${row(workspaceId)})::text as json, issue.rev, state.category,
        issue.criteria_met < issue.criteria_total as "hasUnmet"`
    }))
  const contextIn = <Json extends string | null>(name: string, form: keyof BoundedList) =>
    readOne<{ json: Json; extra: string | null }>(name, workspaceId => {
      const { json, extra, joins } = contextSql(workspaceId, fields, sections, form)
      return { columns: sql`${json} as json, ${extra} as extra`, joins }
    })
  const readContext = contextIn<string | null>('context', 'short')
  const readLargeContext = contextIn<string>('largeContext', 'exact')
  return {
    async context(...issue) {
      const { json, extra } = await readContext(...issue)
      return json === null ? readLargeContext(...issue) : { json, extra }
    },
    full: read('full', workspaceId => fullRow(workspaceId, fields)),
    fullUnlessLong: readOne('fullUnlessLong', workspaceId => ({
      columns: sql<{ id: Id; rev: number; json: string | null }>`
        issue.id, issue.rev,
        case when issue.description_bytes <= ${sql.lit(MAX_STATEMENT_BYTES)}
          then (${fullRow(workspaceId, fields)})::text end as json`
    })),
    withoutRaw: read('withoutRaw', workspaceId => fullRow(workspaceId, fields, false)),
    list: read('list', workspaceId => listRow(workspaceId, fields, rowSections)),
    named: read('named', workspaceId => namedRow(workspaceId, fields))
  }
}
