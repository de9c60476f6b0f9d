import { sql, type RawBuilder } from 'kysely'
import { jsonObject } from '../../../core/db/sql.ts'
import type { ShortReads } from '../../../core/db/short-reads.ts'
import { statement } from '../../../core/db/statement.ts'
import type { Id } from '../../../core/db/tables.ts'
import type { ContextSection, IssueRef, IssueReference, IssuesDatabase } from '../contract.ts'
import { noIssue, parseIssueName } from '../keys.ts'
import { contextJson, fullRow, issueJoins } from './json.ts'

type Reads = ShortReads<IssuesDatabase>
/** A query for one issue, however it is named. @throws 404 */
type Read<T> = (reads: Reads, workspaceId: Id, ref: string) => Promise<T>

/** One statement by id, and one by key; a key from before a move costs one more. */
function readOne<T>(what: RawBuilder<T>): Read<T> {
  const byId = statement<{ workspaceId: Id; id: Id }, { found: T }>(
    ({ workspaceId, id }) => sql`
    select ${what} as found from issue ${issueJoins}
    where issue.workspace_id = ${workspaceId} and issue.id = ${id} and issue.deleted_at is null`
  )
  const byKey = statement<{ workspaceId: Id; identifier: string; number: number }, { found: T }>(
    ({ workspaceId, identifier, number }) => sql`
    select ${what} as found from issue ${issueJoins}
    where issue.workspace_id = ${workspaceId} and issue.number = ${number} and upper(team.identifier) = ${identifier} and issue.deleted_at is null`
  )
  return async (reads, workspaceId, ref) => {
    const name = parseIssueName(ref)
    if (name === undefined) throw noIssue(ref)
    const [row] =
      'id' in name ? await byId(reads, { workspaceId, id: name.id }) : await byKey(reads, { workspaceId, ...name })
    if (row) return row.found
    const id = 'id' in name ? undefined : await formerId(reads, workspaceId, name.identifier, name.number)
    const [moved] = id === undefined ? [] : await byId(reads, { workspaceId, id })
    if (!moved) throw noIssue(ref)
    return moved.found
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
  jsonObject<IssueRef>({
    id: sql`issue.id`,
    key: sql`team.identifier || '-' || issue.number`,
    teamId: sql`issue.team_id`,
    title: sql`issue.title`
  })
)

export interface IssueQueries {
  /** The issue's context, as JSON text. */
  context: Read<string>
  /** The issue's full row, as JSON text, and its revision. */
  get: Read<{ json: string; rev: number }>
}

/** What the plugins that are on contribute is part of the statements, so they are made once per server. */
export const makeReads = (references: readonly IssueReference[], sections: readonly ContextSection[]): IssueQueries => {
  const get = readOne(
    jsonObject<{ json: string; rev: number }>({ json: sql`(${fullRow(references)})::text`, rev: sql`issue.rev` })
  )
  return { context: readOne(sql<string>`(${contextJson(references, sections)})::text`), get }
}
