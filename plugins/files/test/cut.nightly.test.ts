import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { needsChromium, startBrowser } from '../../../test/runner/chromium.ts'
import { tcpProxy } from '../../../test/runner/tcp-proxy.ts'
import { fileIssue, type Uploaded } from './upload.ts'

const MIB = 1024 * 1024
const CONTENT = Buffer.from(Array.from({ length: 25 * MIB }, (_, n) => (n * 31 + (n >> 16)) % 256))

/**
 * A way to the server on which two uploads are cut: one within its bytes, the next before its answer.
 * @returns its origin, and the number of cuts so far
 */
async function cuttingProxy(t: Test, serverUrl: string): Promise<{ url: string; cuts: () => number }> {
  let cuts = 0
  const port = await tcpProxy(t, new URL(serverUrl), (client, server) => {
    let sent = 0
    const cut = () => {
      cuts++
      client.resetAndDestroy()
      server.destroy()
    }
    client.on('data', (chunk: Buffer) => {
      sent += chunk.length
      if (cuts === 0 && sent > 10 * MIB) return cut()
      if (!server.write(chunk)) client.pause()
    })
    server.on('drain', () => client.resume())
    server.on('data', (chunk: Buffer) => {
      if (cuts === 1 && sent > 10 * MIB) return cut()
      client.write(chunk)
    })
  })
  return { url: `http://127.0.0.1:${port}`, cuts: () => cuts }
}

t.test('25 MiB arrive once over a connection that is cut twice', needsChromium, async t => {
  const plugins = ['workspace', 'issues', 'comments', 'passwords', 'events', 'ui', 'files']
  const { server, url: direct, openSignedIn } = await startBrowser(t, { plugins })
  const { url, cuts } = await cuttingProxy(t, direct)
  const { key, id } = await fileIssue(server)
  const page = await openSignedIn()
  // Waits for two pauses and three uploads.
  page.setDefaultTimeout(180_000)
  await page.goto(`${url}/issue/${key}`)
  await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
  const large = { name: 'large.bin', mimeType: 'application/octet-stream', buffer: CONTENT }
  await page.getByLabel('Files: Comment', { exact: true }).setInputFiles([large])
  const uploads = page.getByRole('list', { name: 'Files that are being uploaded' })
  await uploads.getByText(large.name).waitFor()
  await uploads.waitFor({ state: 'detached' })
  await page.locator('[contenteditable][aria-label=Comment]').getByRole('link', { name: large.name }).waitFor()
  t.equal(cuts(), 2)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('article').getByText(large.name).first().waitFor()

  const files = await server.ok<Uploaded[]>(`/v1/issues/${id}/files`)
  t.match(files, [{ name: large.name, bytes: CONTENT.length }])
  t.equal(files.length, 1)
  t.equal(files[0]!.sha256, createHash('sha256').update(CONTENT).digest('hex'))
  const db = server.database.db.withTables<{ file: { state: string } }>()
  const rows = await db.selectFrom('file').select('state').execute()
  t.strictSame(rows, [{ state: 'STORED' }], 'nothing is left of the uploads that were cut')
})
