import { sql } from 'kysely'
import t from 'tap'
import { testServer } from '../../../test/runner/harness.ts'
import { similarity, trigramsOf } from '../ranking/features.ts'

t.test('titles are as similar as PostgreSQL says', async t => {
  const server = await testServer({ plugins: ['workspace'] })
  t.teardown(() => server.close())
  const titles = [
    'Android: Lightweight window animations on open not working',
    'iOS 7: window.open() animates twice -- twice!',
    'window_open',
    'a',
    'aa aa aaa',
    '???'
  ]
  const pairs = titles.flatMap(one => titles.map(other => ({ one, other })))
  const { rows } = await sql<{ one: string; other: string; similarity: number }>`
    select one, other, similarity(one, other)
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as pair (one text, other text)`.execute(server.database.db)
  t.equal(rows.length, titles.length ** 2)
  for (const { one, other, similarity: expected } of rows) {
    t.equal(Math.fround(similarity(trigramsOf(one), trigramsOf(other))), Math.fround(expected), `${one} / ${other}`)
  }
})

t.test('letters that are not English count in every database', async t => {
  t.equal(similarity(trigramsOf('Zażółć gęślą jaźń'), trigramsOf('zażółć gęślą jaźń?')), 1)
  t.equal(similarity(trigramsOf('Straße nach Łódź'), trigramsOf('STRASSE NACH LODZ')), 1)
  t.equal(similarity(trigramsOf('日本'), trigramsOf('語')), 0)
})

t.test('a long text is compared by its beginning', async t => {
  const long = 'word '.repeat(100)
  t.equal(similarity(trigramsOf(`${long}end`), trigramsOf(`${long}other`)), 1)
})
