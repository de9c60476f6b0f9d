import { bound, READ_ISSUES, remove, type Samples } from '../../../test/samples.ts'
import type { TestServer } from '../../../test/runner/harness.ts'
import type { FilesTables } from '../contract.ts'
import { PIXEL, raw } from './upload.ts'

const READ_FILES = { outside: ['foreignFile', 'looseFile'], inside: ['ownFile'] }

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
    const picture = await server.ok<{ id: string }>('/v1/files', raw(PIXEL))
    return [
      [`/v1/files?issueId=${key}`, raw(PIXEL)],
      [`/v1/files/${first.id}`, {}],
      [`/v1/files/${first.id}/a.png`, {}],
      [`/v1/issues/${key}/files`, {}],
      ['/v1/files', {}],
      ['/v1/users/me/picture', { method: 'PUT', body: { file: picture.id } }],
      ['/v1/users/pictures', {}],
      ['/v1/users/me/picture', remove],
      [`/v1/files/${second.id}`, { method: 'DELETE' }]
    ]
  },
  events: [
    { route: 'POST /v1/files', call: () => raw(PIXEL), types: ['file.uploaded'], keep: { fileId: 'id' } },
    {
      route: 'PUT /v1/users/{id}/picture',
      prepare: findMe,
      body: ({ fileId }) => ({ file: fileId }),
      types: ['file.added']
    },
    { route: 'DELETE /v1/users/{id}/picture', prepare: findMe, types: ['file.deleted'] },
    { route: 'POST /v1/files?issueId={issueId}', call: () => raw(PIXEL), types: ['file.added'] },
    { route: 'DELETE /v1/files/{id}', types: ['file.deleted'] }
  ],
  withoutLocks: ['PUT /v1/users/{id}/picture', 'DELETE /v1/users/{id}/picture'],
  // The file is begun, its bytes are stored, and it is published: each in a transaction of its own.
  moreStatements: { 'POST /v1/files': 7, attach_file: 7 },
  board: addLog,
  async runRecords(server, token, { own, foreign }) {
    const fileOf = async (issue: string) =>
      (await server.ok<{ id: string }>(`/v1/files?issueId=${issue}`, raw(PIXEL, { token }))).id
    const loose = await server.ok<{ id: string }>('/v1/files', raw(PIXEL, { token }))
    return { ownFile: await fileOf(own!), foreignFile: await fileOf(foreign!), looseFile: loose.id }
  },
  boundToRuns: {
    'GET /v1/files/{id}': bound(id => `/v1/files/${id}`, READ_FILES),
    'GET /v1/files/{id}/{name}': bound(id => `/v1/files/${id}/a.png`, READ_FILES),
    'GET /v1/issues/{issueId}/files': bound(ref => `/v1/issues/${ref}/files`, READ_ISSUES),
    'POST /v1/files': {
      outside: ({ foreign, parent, related, agent }) => [
        ...[foreign, parent, related].map(ref => ({ path: `/v1/files?issueId=${ref}`, body: {} })),
        { path: '/v1/files', body: {} },
        { path: `/v1/files?subject=account:${agent}`, body: {} }
      ],
      inside: ({ own, deep }) => [own, deep].map(ref => ({ path: `/v1/files?issueId=${ref}`, body: {} }))
    }
  },
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

async function findMe(server: TestServer) {
  const { id } = await server.ok<{ id: string }>('/v1/users/me')
  return { id }
}

/** The file that the guides name. */
const LOG = '01890000-0000-7000-8000-00000000000a'

async function addLog(server: TestServer): Promise<void> {
  const { id } = await server.ok<{ id: string }>(
    '/v1/files?issueId=ENG-10',
    raw('Row 1: no date.', { name: 'export.log' })
  )
  // Ids of files cannot be chosen.
  const db = server.database.db.withTables<Pick<FilesTables, 'file' | 'filePart'>>()
  const file = await db.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const part = await db.selectFrom('filePart').selectAll().where('fileId', '=', id).executeTakeFirstOrThrow()
  await db
    .insertInto('file')
    .values({ ...file, id: LOG, state: 'UPLOADING' })
    .execute()
  await db
    .updateTable('file')
    .set({ state: 'STORED' })
    .where('workspaceId', '=', file.workspaceId)
    .where('id', '=', LOG)
    .execute()
  await db
    .insertInto('filePart')
    .values({ ...part, fileId: LOG })
    .execute()
}
