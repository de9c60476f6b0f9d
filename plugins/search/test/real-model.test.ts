import { cp, readdir, rm, truncate } from 'node:fs/promises'
import { basename, join } from 'node:path'
import t from 'tap'
import { byMeaning, untilEmbedded, untilEmbeddings } from '../../../test/embeddings.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import type { SearchHit } from '../schemas.ts'

/*
 * Tests that need real weights. `scripts/model.sh` fetches them:
 *   TEST_MODEL_DIR=$(scripts/model.sh) npx tap plugins/search/test/real-model.test.ts
 */
const modelDir = process.env['TEST_MODEL_DIR']
const skip = modelDir === undefined && 'TEST_MODEL_DIR names no folder of a model'
const plugins = ['workspace', 'agents', 'issues', 'projects', 'comments', 'embeddings', 'search', 'knowledge']

async function serverOf(dir: string): Promise<TestServer> {
  const settings = { plugins: { embeddings: { modelDir: dir, download: false } } }
  const server = await testServer({ plugins, settings })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return server
}
const file = (server: TestServer, title: string, descriptionMarkdown = '') =>
  server.ok<{ id: string; key: string }>('/v1/issues', { body: { title, descriptionMarkdown, teamId: 'ENG' } })
const search = (server: TestServer, path: string): Promise<SearchHit[]> =>
  byMeaning(server, () => server.ok(`/v1/search${path}`))
const titles = (hits: SearchHit[]) => hits.map(hit => hit.title)

t.test('issues and knowledge are found by other words of the same meaning', { skip }, async t => {
  const server = await serverOf(modelDir!)
  t.teardown(() => server.close())
  const crash = await file(
    server,
    'App crashes when the picture is too large',
    `A stack trace:\n${'at f (x.js:1)\n'.repeat(5_000)}`
  )
  await file(server, 'Out of memory on opening huge photos')
  await file(server, 'Translate the settings page into French')
  await file(server, 'Buttons overlap on narrow screens')
  await server.ok('/v1/knowledge', { body: { content: 'Deploys are forbidden on Fridays' } })
  await server.ok('/v1/knowledge', { body: { content: 'The database listens on port 5433' } })
  t.equal(
    titles(await search(server, `/similar_issues?issueId=${crash.key}`))[0],
    'Out of memory on opening huge photos'
  )
  t.equal(titles(await search(server, '?query=localization'))[0], 'Translate the settings page into French')
  const known = await byMeaning(server, () =>
    server.ok<Array<{ content: string }>>('/v1/knowledge?query=releasing+at+weekend')
  )
  t.equal(known[0]?.content, 'Deploys are forbidden on Fridays')
})

t.test(
  'a half model is refused, search goes by words, and the whole one is used when it is there',
  { skip },
  async t => {
    const dir = join(t.testdir(), basename(modelDir!))
    await cp(modelDir!, dir, { recursive: true })
    const onnx = (await readdir(dir)).find(name => name.endsWith('.onnx'))!
    await truncate(join(dir, onnx), 1_000_000)
    const server = await serverOf(dir)
    t.teardown(() => server.close())
    await file(server, 'Translate the settings page into French')
    await untilEmbeddings(server, { state: 'unavailable' })
    await server.idle()
    t.same(titles(await server.ok('/v1/search?query=french')), ['Translate the settings page into French'])
    await rm(join(dir, onnx))
    await cp(join(modelDir!, onnx), join(dir, onnx))
    t.match(await untilEmbedded(server), { model: basename(modelDir!) })
    t.same(titles(await search(server, '?query=localization')), ['Translate the settings page into French'])
  }
)
