import { readdir } from 'node:fs/promises'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { smallDisk } from '../../../test/runner/small-disk.ts'
import { raw, upload, type Uploaded } from './upload.ts'

const MIB = 1024 * 1024
const disk = smallDisk(8)
t.teardown(() => disk?.remove())

t.test(
  'on a full disk an upload is refused and leaves nothing, and what was stored is served',
  { skip: !disk && 'a small disk cannot be mounted here' },
  async t => {
    const { dir, resize } = disk!
    const settings = { plugins: { files: { store: 'folder', folder: dir } } }
    const server = await testServer({ plugins: ['workspace', 'issues', 'files'], settings })
    t.teardown(() => server.close())
    const contents = [1, 2, 3].map(n => Buffer.alloc(2 * MIB, n))
    const files: Uploaded[] = []
    for (const content of contents) files.push(await upload(server, content))
    const assertServed = async () => {
      for (const [n, { url }] of files.entries()) t.ok((await server.call(url)).rawPayload.equals(contents[n]!))
      const stored = await readdir(dir, { recursive: true, withFileTypes: true })
      t.equal(stored.filter(entry => entry.isFile()).length, files.length, 'nothing half-stored is left')
      const db = server.database.db.withTables<{ file: { state: string } }>()
      const rows = await db.selectFrom('file').select('state').execute()
      t.ok(rows.length === files.length && rows.every(({ state }) => state === 'STORED'))
    }

    for (let n = 0; n < 3; n++) {
      const refused = await server.call('/v1/files', raw(Buffer.alloc(4 * MIB, 'x')))
      t.match(refused.json(), { statusCode: 503, code: 'STORAGE_FULL', message: /disk is full/ })
      await server.idle()
    }
    await assertServed()

    resize(64)
    contents.push(Buffer.alloc(4 * MIB, 'x'))
    files.push(await upload(server, contents[3]!))
    await assertServed()
  }
)
