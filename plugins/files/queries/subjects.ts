import { sql } from 'kysely'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, Trx } from '../context.ts'
import type { FileSubject } from '../contract.ts'

/** A type of resource that files can belong to, with its query for names. */
export type NamedSubject = Pick<FileSubject, 'type' | 'named'>
/** The subject of a file, as in its row; null: none. */
interface Owned {
  subjectType: string | null
  subjectId: Id | null
}

export const subjectKey = ({ subjectType, subjectId }: Owned): string => `${subjectType} ${subjectId}`

/**
 * Names of the subjects of files, by `subjectKey`; without deleted ones. Raw: plugins contribute the queries.
 */
export async function nameSubjects(
  db: Db | Trx,
  workspaceId: Id,
  kinds: readonly NamedSubject[],
  files: readonly Owned[]
): Promise<Map<string, { key: string | null; title: string }>> {
  const namesOf = ({ type, named }: NamedSubject) => sql`
    select ${type}::text as subject_type, s.id as subject_id, s.key, s.title from (${named(workspaceId)}) s
    where s.id = any(${files.flatMap(file => (file.subjectType === type ? file.subjectId : []))}::uuid[])`
  const { rows } = await sql<{ subjectType: string; subjectId: Id; key: string | null; title: string }>`
    ${sql.join(kinds.map(namesOf), sql` union all `)}`.execute(db)
  return new Map(rows.map(({ key, title, ...subject }) => [subjectKey(subject), { key, title }]))
}
