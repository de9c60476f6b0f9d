import type { Static } from 'typebox'
import { jsonOfRow } from '../../core/api/schemas.ts'
import type { StoredRow } from './queries/files.ts'
import type { StoredFile } from './schemas.ts'

/** A file as routes answer it. */
export const shown = ({ id, name, mimeType, bytes, width, height, createdAt, ...row }: StoredRow) =>
  jsonOfRow({
    ...{ id, name, mimeType, bytes, width, height, createdAt },
    sha256: Buffer.from(row.sha256).toString('hex'),
    url: `/v1/files/${id}/${row.urlName}`,
    createdBy: { id: row.createdById, fullname: row.createdByName }
  }) satisfies Static<typeof StoredFile>
