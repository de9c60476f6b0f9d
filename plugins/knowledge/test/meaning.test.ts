import { join } from 'node:path'
import t from 'tap'
import { byMeaning } from '../../../test/embeddings.ts'
import { onPostgres, testServer } from '../../../test/runner/harness.ts'
import { writeModel } from '../../../test/tiny-model.ts'

const modelDir = join(t.testdir(), 'vehicles')
await writeModel(modelDir, { car: [1, 0], automobile: [0.9, 0.1], fruit: [0, 1], banana: [0.1, 0.9] })
const plugins = ['workspace', 'agents', 'issues', 'projects', 'comments', 'embeddings', 'search', 'knowledge']
const settings = { plugins: { embeddings: { modelDir, download: false } } }
interface Entry {
  id: string
  content: string
}

t.test('what is known is recalled in other words, and loaded for a task', async t => {
  const server = await testServer({ plugins, settings })
  t.teardown(() => server.close())
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const remember = (content: string) => server.ok<Entry>('/v1/knowledge', { body: { content } })
  const recall = async (query: string) => {
    const entries = await byMeaning(server, () => server.ok<Entry[]>(`/v1/knowledge?query=${query}`))
    return entries.map(entry => entry.content)
  }
  const { id } = await remember('Automobile doors open outwards')
  await remember('Banana peels are slippery')
  t.same(await recall('car'), ['Automobile doors open outwards'])
  t.same(await recall('fruit'), ['Banana peels are slippery'])
  const { entries } = await server.ok<{ entries: Entry[] }>('/v1/knowledge/context?query=fruit')
  t.match(entries, [{ content: 'Banana peels are slippery', because: ['words'] }])

  await server.ok('/v1/knowledge', { body: { content: 'Automobile doors slide', supersedesId: id } })
  t.same(await recall('car'), ['Automobile doors slide'], 'what is superseded is not')
})

t.test(
  'entries from before the embeddings were on get their vectors at the next start',
  { skip: !onPostgres && 'a second server needs a database that outlives the first' },
  async t => {
    const before = await testServer({ plugins: plugins.filter(name => name !== 'embeddings') })
    await before.ok('/v1/knowledge', { body: { content: 'Automobile doors open outwards' } })
    await before.close()
    const after = await testServer({ plugins, settings, on: before })
    t.teardown(() => after.close())
    await after.app.listen({ host: '127.0.0.1', port: 0 })
    t.equal((await byMeaning(after, () => after.ok<Entry[]>('/v1/knowledge?query=car'))).length, 1)
  }
)
