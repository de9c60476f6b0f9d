import { sql, type RawBuilder } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { RecordIdentity } from '../contract.ts'

export interface StoredBoard {
  source: string
  issues: number
}

/** The sources of a kind, such as `jira` and `jira:acme.example`, and the named one. */
export const listBoards = (db: Db, workspaceId: Id, kind: string, name: string | undefined): Promise<StoredBoard[]> =>
  db
    .selectFrom('importedRecord')
    .select(eb => ['source', eb.fn.countAll<number>().as('issues')])
    .where('workspaceId', '=', workspaceId)
    .where('kind', '=', 'issue')
    .where(eb =>
      eb.or([
        eb('source', 'in', name === undefined ? [kind] : [kind, name]),
        eb(eb.fn('starts_with', ['source', eb.val(`${kind}:`)]), '=', true)
      ])
    )
    .groupBy('source')
    .orderBy('source')
    .execute()

/** With the digest of the last imported title. */
export const listSameIds = (db: Db, workspaceId: Id, sources: readonly string[], names: readonly string[]) =>
  db
    .selectFrom('importedRecord')
    // Raw: the fields are JSON of each kind's own.
    .select(['source', 'externalId', 'id', sql<string | null>`fields->'title'->>0`.as('title')])
    .where('workspaceId', '=', workspaceId)
    .where('kind', '=', 'issue')
    .where('source', 'in', [...sources])
    .where('externalId', '=', sql<string>`any(${names}::text[])`)
    .execute()

export async function issueIdentities(
  db: Db | Trx,
  query: RawBuilder<RecordIdentity>
): Promise<Map<Id, RecordIdentity>> {
  // Raw, because the kind of records has made the query.
  const { rows } = await sql<RecordIdentity>`${query}`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

export const renameSource = (
  trx: Trx,
  { workspaceId, kind, source }: { workspaceId: Id; kind: string; source: string },
  formerSource: string,
  names: readonly string[]
) =>
  trx
    .updateTable('importedRecord')
    .set({ source })
    .where('workspaceId', '=', workspaceId)
    .where('kind', '=', kind)
    .where('source', '=', formerSource)
    .where('externalId', '=', sql<string>`any(${names}::text[])`)
    .where('externalId', 'not in', eb =>
      eb
        .selectFrom('importedRecord as own')
        .select('own.externalId')
        .where('own.workspaceId', '=', workspaceId)
        .where('own.kind', '=', kind)
        .where('own.source', '=', source)
        .where('own.externalId', '=', sql<string>`any(${names}::text[])`)
    )
    .execute()
