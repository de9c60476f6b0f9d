import type { Db, FileKey, Trx } from '../context.ts'

export const insertPart = (trx: Trx, { workspaceId, id: fileId }: FileKey, n: number, data: Buffer) =>
  trx.insertInto('filePart').values({ workspaceId, fileId, n, data }).execute()

export async function findPart(
  db: Db | Trx,
  { workspaceId, id: fileId }: FileKey,
  n: number
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('filePart')
    .select('data')
    .where('workspaceId', '=', workspaceId)
    .where('fileId', '=', fileId)
    .where('n', '=', n)
    .executeTakeFirst()
  return row && Buffer.from(row.data.buffer, row.data.byteOffset, row.data.byteLength)
}

export const removeParts = (trx: Trx, { workspaceId, id: fileId }: FileKey) =>
  trx.deleteFrom('filePart').where('workspaceId', '=', workspaceId).where('fileId', '=', fileId).execute()
