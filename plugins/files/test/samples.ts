import { remove, type Samples } from '../../../test/samples.ts'
import { PIXEL, raw } from './upload.ts'

export const samples: Samples = {
  async fill(make, { issue }, text) {
    // The body is the file.
    const { id } = await make(`/v1/files?issueId=${issue?.[0]}`, { text })
    return { file: [id] }
  },
  kinds: { files: 'file', after: 'file' },
  async requests({ key }, _size, server) {
    const upload = () => server.ok<{ id: string }>(`/v1/files?issueId=${key}`, raw(PIXEL))
    const [first, second] = [await upload(), await upload()]
    return [
      [`/v1/files?issueId=${key}`, raw(PIXEL)],
      [`/v1/files/${first.id}`, {}],
      [`/v1/files/${first.id}/a.png`, {}],
      [`/v1/issues/${key}/files`, {}],
      [`/v1/files/${second.id}`, { method: 'DELETE' }]
    ]
  },
  events: [
    { route: 'POST /v1/files', call: () => raw(PIXEL), types: ['file.uploaded'] },
    { route: 'POST /v1/files?issueId={issueId}', call: () => raw(PIXEL), types: ['file.added'] },
    { route: 'DELETE /v1/files/{id}', types: ['file.deleted'] }
  ],
  // The file is begun, its bytes are stored, and it is published: each in a transaction of its own.
  moreStatements: { 'POST /v1/files': 7 },
  async lockRecords(make, { issue }) {
    for (;;) {
      try {
        return { file: (await make(`/v1/files?issueId=${issue}`, { text: 'A file.' })).id }
      } catch (error) {
        // Requests of other pairs upload with the same token, too.
        if (!String(error).includes('RATE_LIMITED')) throw error
      }
    }
  },
  locks: {
    'POST /v1/files': [({ issue }, n) => [`/v1/files?issueId=${issue}`, raw(`File ${n}`)]],
    'DELETE /v1/files/{id}': [({ file }) => [`/v1/files/${file}`, remove]]
  }
}
