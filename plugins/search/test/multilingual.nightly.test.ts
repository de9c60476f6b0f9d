import t from 'tap'
import { byMeaning } from '../../../test/embeddings.ts'
import { testServer } from '../../../test/runner/harness.ts'
import type { SearchHit } from '../schemas.ts'

/*
 * Real weights that know many languages: run it with
 *   TEST_MULTILINGUAL_MODEL_DIR=$(scripts/model.sh multilingual-e5-small)
 */
const modelDir = process.env['TEST_MULTILINGUAL_MODEL_DIR']
const skip = modelDir === undefined && 'TEST_MULTILINGUAL_MODEL_DIR names no folder of a model'

/** By the title: a search for it in other words. */
const searches = {
  暗い配色でテキストが読めない: 'ダークモードの文字',
  与后台存储的连接频繁丢失: '数据库老是断开',
  '결제가 거절된다': '카드로 지불할 수 없음',
  'Nach dem Ändern des Passworts komme ich nicht mehr rein': 'Anmeldung unmöglich'
}

t.test('a multilingual model finds issues in the words of four languages', { skip }, async t => {
  const server = await testServer({
    plugins: ['workspace', 'agents', 'issues', 'comments', 'embeddings', 'search'],
    settings: { plugins: { embeddings: { modelDir: modelDir!, download: false } } }
  })
  t.teardown(() => server.close())
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  for (const title of Object.keys(searches)) {
    await server.ok('/v1/issues', { body: { title, teamId: 'ENG' } })
  }
  for (const [title, query] of Object.entries(searches)) {
    const hits = await byMeaning(server, () => server.ok<SearchHit[]>(`/v1/search?query=${encodeURIComponent(query)}`))
    t.equal(hits[0]?.title, title, query)
  }
})
