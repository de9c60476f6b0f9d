import type { Static } from 'typebox'
import { jsonOfRow } from '../../core/api/schemas.ts'
import type { StoredRow } from './queries/files.ts'
import type { StoredFile } from './schemas.ts'

export const addressOf = ({ id, urlName }: Pick<StoredRow, 'id' | 'urlName'>): string => `/v1/files/${id}/${urlName}`

export const shown = ({ id, name, mimeType, bytes, width, height, createdAt, ...row }: StoredRow) =>
  jsonOfRow({
    ...{ id, name, mimeType, bytes, width, height, createdAt },
    sha256: Buffer.from(row.sha256).toString('hex'),
    url: addressOf({ id, urlName: row.urlName }),
    createdBy: { id: row.createdById, fullname: row.createdByName }
  }) satisfies Static<typeof StoredFile>
