import { sql } from 'kysely'
import { iso } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { ExternalIdOf } from '../../transfer/contract.ts'
import type { FileKey, Trx } from '../context.ts'
import type { Content } from './files.ts'
import type { NamedSubject } from './subjects.ts'

/** SQL: a row of the table `file` is published. */
export const isStored = sql<boolean>`state = 'STORED'`

/** The files of subjects that are not deleted. Raw: a part of a statement of `transfer`. */
export function exportedFiles(subjects: readonly NamedSubject[], workspaceId: Id, externalId: ExternalIdOf) {
  const filesOf = ({ type, named }: NamedSubject) => sql`
    select f.*, ${externalId(type, 'f.subject_id')} as subject
    from file f join (${named(workspaceId)}) s on s.id = f.subject_id
    where f.workspace_id = ${workspaceId} and f.state = 'STORED' and f.subject_type = ${type}`
  return sql<object>`
    select f.id as "externalId", f.name, encode(f.sha256, 'hex') as sha256, f.subject_type as "subjectType", f.subject,
      ${externalId('account', 'f.created_by_id')} as "createdBy", ${iso('f.created_at')} as "createdAt"
    from (${sql.join(subjects.map(filesOf), sql` union all `)}) f
    order by f.created_at, f.name, f.sha256, f.id`
}

/** The addresses of those files that are there. Raw: a query of `transfer`. */
export const fileAddresses = (workspaceId: Id, ids: readonly Id[]) =>
  sql<{ id: Id; name: string }>`
    select id, '/v1/files/' || id || '/' || url_name as name from file
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and state = 'STORED'`

/** Files whose bytes are stored, and which are not published; their rows are locked. */
export const lockUnpublished = (trx: Trx, workspaceId: Id, ids: readonly Id[]) =>
  trx
    .selectFrom('file')
    .select(['id', 'store', 'name', 'mimeType', 'bytes'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .where('state', '=', 'UPLOADING')
    .orderBy('id')
    .forUpdate()
    .execute()

/** Stores the metadata of the bytes of a file that is not published yet. */
export const setContent = (trx: Trx, { workspaceId, id }: FileKey, content: Content) =>
  trx
    .updateTable('file')
    .set(content)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'UPLOADING')
    .execute()

interface ImportedFile extends FileKey {
  subjectType: string
  subjectId: Id
  createdById: Id
  createdAt: Date
}

/** Makes a file readable whose row is locked. */
export const publishImported = (trx: Trx, { workspaceId, id, ...file }: ImportedFile) =>
  trx
    .updateTable('file')
    .set({ ...file, state: 'STORED' })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
