import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'
import type { FileSubject } from '../contract.ts'
import { storedFiles, type StoredRow } from './files.ts'

export type FilesOrder = 'created' | 'bytes'

/** Where a page ends: the bytes, or the milliseconds of the time, of its last file. */
export interface ListPosition {
  value: number
  id: Id
}

/** All stored files of a workspace, the newest or the largest first. */
export function listAllFiles(
  db: Db,
  workspaceId: Id,
  order: FilesOrder,
  { after, limit }: { after: ListPosition | undefined; limit: number }
): Promise<StoredRow[]> {
  const column = order === 'bytes' ? 'file.bytes' : 'file.createdAt'
  const value = after && (order === 'bytes' ? after.value : new Date(after.value))
  return storedFiles(db, workspaceId)
    .$if(after !== undefined, query =>
      query.where(sql<boolean>`(${sql.ref(column)}, file.id) < (${value}, ${after?.id}::uuid)`)
    )
    .orderBy(column, 'desc')
    .orderBy('file.id', 'desc')
    .limit(limit)
    .execute()
}

/** The names of what files belong to, unless it is deleted, by type and id. Raw: plugins contribute the queries. */
export async function nameSubjects(
  db: Db,
  workspaceId: Id,
  kinds: ReadonlyArray<Pick<FileSubject, 'type' | 'named'>>,
  files: ReadonlyArray<Pick<StoredRow, 'subjectType' | 'subjectId'>>
): Promise<Map<string, { key: string | null; title: string }>> {
  const namesOf = ({ type, named }: Pick<FileSubject, 'type' | 'named'>) => sql`
    select ${type}::text as type, s.id, s.key, s.title from (${named(workspaceId)}) s
    where s.id = any(${files.flatMap(file => (file.subjectType === type ? file.subjectId : []))}::uuid[])`
  const { rows } = await sql<{ type: string; id: Id; key: string | null; title: string }>`
    ${sql.join(kinds.map(namesOf), sql` union all `)}`.execute(db)
  return new Map(rows.map(({ type, id, ...name }) => [`${type} ${id}`, name]))
}
