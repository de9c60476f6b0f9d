import type { ColumnType, RawBuilder } from 'kysely'
import { Type } from 'typebox'
import { contract, point, type Caller, type Principal } from '../../core/api/contract.ts'
import type { Id, Timestamp, TransactionHandle } from '../../core/api/database/types.ts'
import { eventType } from '../../core/api/events.ts'
import { Closed, IdText, Nullable } from '../../core/api/schemas.ts'

export const STORES = ['folder', 'database', 's3'] as const
export type StoreName = (typeof STORES)[number]

export interface FilesTables {
  file: {
    workspaceId: Id
    id: Id
    /** `UPLOADING` until all bytes are stored: such a file is not served. */
    state: ColumnType<'UPLOADING' | 'STORED', 'UPLOADING', 'STORED'>
    store: StoreName
    name: string
    urlName: string
    mimeType: string
    bytes: number
    sha256: Uint8Array
    /** In pixels; null: no image, or unknown. */
    width: number | null
    height: number | null
    /** The resource whose readers read the file; null: only the uploader reads it. */
    subjectType: string | null
    subjectId: Id | null
    createdById: Id
    createdAt: Timestamp
  }
  filePart: { workspaceId: Id; fileId: Id; n: number; data: Uint8Array }
  fileUsage: { workspaceId: Id; bytes: number }
}
export interface FilesServices {
  /**
   * Called before a text that proves something is stored.
   * @throws 400 when it names a file that does not exist, or that only its uploader could read
   */
  assertThere(caller: Caller, trx: TransactionHandle, markdown: string): Promise<void>
  /** After the commit, except files that other subjects name. */
  removeOf(caller: Caller, trx: TransactionHandle, type: string, ids: readonly Id[]): Promise<void>
}
export const files = contract<FilesServices, FilesTables>()('files')

/** A kind of resource that files can belong to. */
export interface FileSubject {
  /** The `type` of `?subject=<type>:<id>`. */
  readonly type: string
  isReadable(caller: Caller, id: Id): Promise<boolean>
  /** Adding and removing its files; absent: all its readers may. @throws 403 */
  assertChangeable?(caller: Principal, id: Id): Promise<void>
  /** Set if runs read its files, too: issues have copies of its text, with the addresses. */
  readonly isReadByRuns?: boolean
  /** SQL: the subjects that are not deleted, with the names that people know. Their kind in exports is `type`. */
  named(workspaceId: Id): RawBuilder<{ id: Id; key: string | null; title: string }>
}
export const fileSubjects = point<FileSubject>()(files, 'subjects')

/**
 * SQL of the texts that can name files, also of subjects in the trash. Its columns are `type`, `id` and `is_deleted` of
 * the subject, and `markdown`.
 */
export type FileTexts = (
  workspaceId: Id
) => RawBuilder<{ type: string; id: Id; markdown: string | null; isDeleted: boolean }>
export const fileTexts = point<FileTexts>()(files, 'texts')

const FileData = Closed({
  name: Type.String(),
  mimeType: Type.String(),
  bytes: Type.Integer()
})
export const fileUploaded = eventType(files, 'file.uploaded', {
  summary: 'A file was uploaded that belongs to nothing yet: only its uploader reads it.',
  audience: 'account',
  data: FileData
})
export const fileAdded = eventType(files, 'file.added', {
  summary: 'A file was added to an issue or another resource: by its upload, or by the text that names it.',
  data: Closed({ ...FileData.properties, subject: Closed({ type: Type.String(), id: IdText }) })
})
export const fileDeleted = eventType(files, 'file.deleted', {
  summary: 'A file was removed.',
  logged: ['name', 'bytes', 'reason'],
  data: Closed({
    name: Nullable(Type.String(), {
      description: 'Null: only its uploader could read it, or its issue was removed for good.'
    }),
    bytes: Type.Integer(),
    reason: Type.Optional(Type.String({ description: 'Why, as the remover says.' }))
  })
})
export const fileEvents = [fileUploaded, fileAdded, fileDeleted]
