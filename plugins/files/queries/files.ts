import { sql, type Insertable } from 'kysely'
import { asShortRead } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db, FileKey, Trx } from '../context.ts'
import type { FilesTables, StoreName } from '../contract.ts'

export interface Subject {
  type: string
  id: Id
}

const columns = [
  'file.id',
  'file.store',
  'file.name',
  'file.urlName',
  'file.mimeType',
  'file.bytes',
  'file.sha256',
  'file.width',
  'file.height',
  'file.subjectType',
  'file.subjectId',
  'file.createdById',
  'file.createdAt'
] as const

export const storedFiles = (db: Db | Trx, workspaceId: Id) =>
  db
    .selectFrom('file')
    .innerJoin('account', join =>
      join.on('account.workspaceId', '=', workspaceId).onRef('account.id', '=', 'file.createdById')
    )
    .select([...columns, 'account.fullname as createdByName'])
    .where('file.workspaceId', '=', workspaceId)
    .where('file.state', '=', 'STORED')

export type StoredRow = NonNullable<Awaited<ReturnType<typeof findFile>>>

export const findFile = (db: Db | Trx, { workspaceId, id }: FileKey) =>
  storedFiles(asShortRead(db), workspaceId).where('file.id', '=', id).executeTakeFirst()

/** In the order of their uploads. */
export const listFiles = (
  db: Db | Trx,
  workspaceId: Id,
  { type, id }: Subject,
  { limit, after }: { limit: number; after?: Id | undefined }
): Promise<StoredRow[]> =>
  storedFiles(db, workspaceId)
    .where('file.subjectType', '=', type)
    .where('file.subjectId', '=', id)
    .$if(after !== undefined, query => query.where('file.id', '>', after!))
    .orderBy('file.id')
    .limit(limit)
    .execute()

export async function filterWithFiles(trx: Trx, workspaceId: Id, type: string, ids: readonly Id[]): Promise<Id[]> {
  const rows = await trx
    .selectFrom('file')
    .select('subjectId')
    .distinct()
    .where('workspaceId', '=', workspaceId)
    .where('subjectType', '=', type)
    .where('subjectId', '=', sql<Id>`any(${ids}::uuid[])`)
    .$narrowType<{ subjectId: Id }>()
    .execute()
  return rows.map(({ subjectId }) => subjectId)
}

type NewFile = Omit<
  Insertable<FilesTables['file']>,
  'state' | 'bytes' | 'sha256' | 'mimeType' | 'subjectType' | 'subjectId'
>

export const insertUploading = (trx: Trx, file: NewFile) =>
  trx
    .insertInto('file')
    .values({
      ...file,
      state: 'UPLOADING',
      bytes: 0,
      sha256: Buffer.alloc(0),
      mimeType: '',
      subjectType: null,
      subjectId: null
    })
    .execute()

export type Content = Pick<Insertable<FilesTables['file']>, 'bytes' | 'sha256' | 'mimeType' | 'width' | 'height'>

/** @returns false if it was no longer uploading */
export async function publish(
  trx: Trx,
  { workspaceId, id }: FileKey,
  content: Content,
  subject: Subject | undefined
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('file')
    .set({ ...content, state: 'STORED', subjectType: subject?.type ?? null, subjectId: subject?.id ?? null })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'UPLOADING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function removeUploading(trx: Trx, { workspaceId, id }: FileKey): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('file')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'UPLOADING')
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** @returns the store of its bytes; undefined if it does not belong to the subject (undefined: to none) */
export async function removeFile(
  trx: Trx,
  { workspaceId, id }: FileKey,
  subject: Subject | undefined
): Promise<StoreName | undefined> {
  const row = await trx
    .deleteFrom('file')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'STORED')
    .where('subjectType', subject ? '=' : 'is', subject?.type ?? null)
    .where('subjectId', subject ? '=' : 'is', subject?.id ?? null)
    .returning('store')
    .executeTakeFirst()
  return row?.store
}

export const bindFiles = (trx: Trx, workspaceId: Id, createdById: Id, ids: readonly Id[], subject: Subject) =>
  trx
    .updateTable('file')
    .set({ subjectType: subject.type, subjectId: subject.id })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .where('createdById', '=', createdById)
    .where('state', '=', 'STORED')
    .where('subjectId', 'is', null)
    .returning(['id', 'name', 'mimeType', 'bytes'])
    .execute()

export const listStored = (db: Db | Trx, workspaceId: Id, ids: readonly Id[]) =>
  db
    .selectFrom('file')
    .select(['id', 'createdById', 'subjectType', 'subjectId'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .where('state', '=', 'STORED')
    .execute()
