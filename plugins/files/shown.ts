import type { Static } from 'typebox'
import type { StoredRow } from './queries/files.ts'
import type { StoredFile } from './schemas.ts'

/** A file as routes answer it. */
export const shown = (row: StoredRow): Static<typeof StoredFile> => ({
  id: row.id,
  name: row.name,
  mimeType: row.mimeType,
  bytes: row.bytes,
  sha256: Buffer.from(row.sha256).toString('hex'),
  ...(row.width !== null && { width: row.width }),
  ...(row.height !== null && { height: row.height }),
  url: `/v1/files/${row.id}/${row.urlName}`,
  createdAt: row.createdAt.toISOString(),
  createdBy: { id: row.createdById, fullname: row.createdByName }
})
