import { sql, type RawBuilder } from 'kysely'
import type { ShortReads } from '../../../core/db/short-reads.ts'
import { statement } from '../../../core/db/statement.ts'
import type { Id } from '../../../core/db/tables.ts'
import type { ContextSection, IssueRef, IssueReference, IssuesDatabase, RowSection } from '../contract.ts'
import { noIssue, parseIssueName } from '../keys.ts'
import { contextSql, fullRow, issueJoins, listRow } from './json.ts'

type Reads = ShortReads<IssuesDatabase>
/** A query for one issue, however it is named. @throws 404 */
type Read<T> = (reads: Reads, workspaceId: Id, ref: string) => Promise<T>

/**
 * One statement by id, and one by key; a key from before a move costs one more.
 * @param columns of the row that is read
 * @param joins what the columns need beside team and state
 */
function readOne<Row>(columns: RawBuilder<Row>, joins: RawBuilder<unknown> = sql``): Read<Row> {
  const byId = statement<{ workspaceId: Id; id: Id }, Row>(
    ({ workspaceId, id }) => sql`
    select ${columns} from issue ${issueJoins} ${joins}
    where issue.workspace_id = ${workspaceId} and issue.id = ${id} and issue.deleted_at is null`
  )
  const byKey = statement<{ workspaceId: Id; identifier: string; number: number }, Row>(
    ({ workspaceId, identifier, number }) => sql`
    select ${columns} from issue ${issueJoins} ${joins}
    where issue.workspace_id = ${workspaceId} and issue.number = ${number}
      and upper(team.identifier) = ${identifier} and issue.deleted_at is null`
  )
  return async (reads, workspaceId, ref) => {
    const name = parseIssueName(ref)
    if (name === undefined) throw noIssue(ref)
    const [row] =
      'id' in name ? await byId(reads, { workspaceId, id: name.id }) : await byKey(reads, { workspaceId, ...name })
    if (row) return row
    const id = 'id' in name ? undefined : await formerId(reads, workspaceId, name.identifier, name.number)
    const [moved] = id === undefined ? [] : await byId(reads, { workspaceId, id })
    if (!moved) throw noIssue(ref)
    return moved
  }
}

async function formerId(reads: Reads, workspaceId: Id, identifier: string, number: number): Promise<Id | undefined> {
  const row = await reads
    .selectFrom('issueFormerKey as former')
    .innerJoin('team', join =>
      join.onRef('team.workspaceId', '=', 'former.workspaceId').onRef('team.id', '=', 'former.teamId')
    )
    .select('former.issueId')
    .where('former.workspaceId', '=', workspaceId)
    .where('former.number', '=', number)
    .where(eb => eb.fn<string>('upper', ['team.identifier']), '=', identifier)
    .executeTakeFirst()
  return row?.issueId
}

/** An issue's id, key, team and title. */
export const findIssue: Read<IssueRef> = readOne(
  sql<IssueRef>`issue.id, team.identifier || '-' || issue.number as key, issue.team_id, issue.title`
)

export interface IssueQueries {
  /** The issue's context, as JSON text. */
  context: Read<string>
  /** The issue's full row, as JSON text, and its revision. */
  full: Read<{ json: string; rev: number }>
  /** The same without the stored description. */
  withoutRaw: Read<{ json: string; rev: number }>
  /** The issue as a row of the board. */
  list: Read<{ json: string; rev: number }>
}

/** What the plugins that are on contribute is part of the statements, so they are made once per server. */
export const makeReads = (
  references: readonly IssueReference[],
  sections: readonly ContextSection[],
  rowSections: readonly RowSection[]
): IssueQueries => {
  const read = (row: RawBuilder<object>) =>
    readOne(sql<{ json: string; rev: number }>`(${row})::text as json, issue.rev`)
  const { json, joins, omitted } = contextSql(references, sections)
  const readContext = readOne(
    sql<{ json: string; omitted: string | null }>`(${json})::text as json, ${omitted} as omitted`,
    joins
  )
  return {
    async context(...issue) {
      const { json, omitted } = await readContext(...issue)
      return omitted === null ? json : `${json.slice(0, -1)},"omitted":${omitted}}`
    },
    full: read(fullRow(references)),
    withoutRaw: read(fullRow(references, false)),
    list: read(listRow(references, rowSections))
  }
}
