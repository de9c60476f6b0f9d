import { sql } from 'kysely'
import t from 'tap'
import { toolResult } from '../../../test/runner/call-tool.ts'
import { testServer, type TestServer } from '../../../test/runner/harness.ts'
import { formerTokens, termIdsOf, TOKENS_VERSION } from '../word-index/terms.ts'
import type { SearchHit } from '../schemas.ts'

const plugins = ['workspace', 'agents', 'issues', 'comments', 'projects', 'knowledge', 'search', 'mcp']
const settings = { plugins: { mcp: { rateLimit: 0 } } }
const server = await testServer({ plugins, settings })
t.teardown(() => server.close())
const file = (title: string, descriptionMarkdown = '') =>
  server.ok<{ id: string }>('/v1/issues', { body: { title, descriptionMarkdown, teamId: 'ENG' } })
const titles = async (query: string) =>
  (await server.ok<SearchHit[]>(`/v1/search?query=${encodeURIComponent(query)}`)).map(({ title }) => title)

const known = async (on: TestServer, query: string) =>
  (await on.ok<Array<{ content: string }>>(`/v1/knowledge?query=${encodeURIComponent(query)}`)).map(
    ({ content }) => content
  )

/** Searches like an agent. */
async function tasks(query: string): Promise<string[]> {
  const { content } = await toolResult(server, 'search_tasks', { query })
  const { tasks } = JSON.parse(content[0]!.text) as { tasks: Array<{ title: string }> }
  return tasks.map(({ title }) => title)
}

t.test('words are found in every way of writing them, by REST and by the tool', async t => {
  const cases: Array<[title: string, queries: string[]]> = [
    ['打开时APIエラー', ['API', 'api', 'エラー', 'ＡＰＩ']],
    ['更新webpack配置文件', ['webpack', '配置', '文件', 'webp', '配置webpack']],
    ['黒猫が逃げる', ['猫', '黒', '"猫"', '黒猫']],
    ['비밀번호를 잊음', ['비밀번호', '번호', '호', '비밀번호'.normalize('NFD')]],
    ['Hauptstraße gesperrt', ['hauptstrasse', 'HAUPTSTRASSE', 'Hauptstraße', 'HAUPTSTRAẞE']],
    ['Wasserstrasse', ['Wasserstraße']],
    ['Łódź depot', ['lodz', 'ŁÓDŹ', 'łódź', 'Łódź'.normalize('NFD')]],
    ['Gdańsk lodowka', ['łodowka', 'gdansk']],
    ['København office', ['kobenhavn', 'koebenhavn', 'KØBENHAVN']],
    ['Đakovo bus', ['dakovo']],
    ['Suðurland þoka', ['sudurland', 'thoka', 'Þoka']],
    ['Fjærland ferry', ['fjaerland', 'FJÆRLAND']],
    ['Manœuvre', ['manoeuvre', 'MANŒUVRE']],
    ['İstanbul ışık', ['istanbul', 'ISTANBUL', 'isik', 'IŞIK']],
    ['ΟΔΟΣ closed', ['οδος', 'οδοσ']],
    ['Squash 🐛 today', ['🐛']],
    ['Approved 👍🏽', ['👍', '👍🏿']],
    ['Beware ⚠️', ['⚠', '⚠️']],
    ['Refund $75 now', ['75', '$75', '75$']],
    ['Refund €76 now', ['76', '€76']],
    ['Load above 77%', ['77', '77%']],
    ['Wrong $scopeish binding', ['scopeish', '$scopeish']]
  ]
  for (const [title] of cases) await file(title)
  await server.idle()
  for (const [title, queries] of cases) {
    for (const query of queries) {
      t.ok((await titles(query)).includes(title), `${query} finds ${title}`)
      t.ok((await tasks(query)).includes(title), `${query} finds ${title} by the tool`)
    }
  }
  for (const other of ['🐞', '犬', '74', '$74', 'が']) t.same(await titles(other), [], other)
})

t.test('what is written exactly like the query comes first', async t => {
  await file('Costs 905')
  await file('Costs 905%')
  await file('Costs $905')
  await server.idle()
  t.equal((await titles('$905'))[0], 'Costs $905')
  t.equal((await titles('905%'))[0], 'Costs 905%')
  t.equal((await titles('$905')).length, 3)
})

t.test('the field is told in which a single character is found', async t => {
  await file('Photos', '这里有鲸鱼')
  await file('看见鲸鱼')
  await server.idle()
  const hits = await server.ok<SearchHit[]>(`/v1/search?query=${encodeURIComponent('鲸')}`)
  t.same(Object.fromEntries(hits.map(({ title, matchedIn }) => [title, matchedIn])), {
    Photos: 'description',
    看见鲸鱼: 'title'
  })
})

t.test(
  'a phrase is found across line ends, marks, links and special spaces, and however its letters are written',
  async t => {
    const texts = [
      'The quick\nbrown fox',
      'The quick **brown fox**',
      'The **quick** *brown* `fox`',
      'The [quick](https://example.org/a_(b) "the title") brown ~~fox~~',
      'The quick\u00a0brown\u202ffox',
      '> The quick\n> brown fox',
      'The QUICK  bröwn fox',
      'The quick\\\nbrown fox'
    ]
    for (const [n, text] of texts.entries()) await file(`Phrase ${n}`, text)
    await file('No phrase', 'The quick fox, brown')
    const { id } = await file('Said')
    await server.ok(`/v1/issue_comments?issueId=${id}`, { body: { bodyMarkdown: 'So __quick brown__\nfox' } })
    await file('Snake', 'Call `quick_brown_fox` at https://example.org/quick_brown/fox?a=1')
    await server.idle()
    const phrases = async (query: string) => (await titles(query)).sort()
    t.same(await phrases('"quick brown fox"'), [...texts.map((_, n) => `Phrase ${n}`), 'Said'].sort())
    t.same(await phrases('"quick_brown_fox"'), ['Snake'])
    t.same(await phrases('"example.org/quick_brown/fox?a=1"'), ['Snake'])
    t.same(await phrases('"hauptstrasse gesperrt"'), ['Hauptstraße gesperrt'])
  }
)

t.test('knowledge is found in the same way', async t => {
  const content = 'Die Hauptstraße: 部署API前先备份'
  await server.ok('/v1/knowledge', { body: { content, kind: 'FACT' } })
  await server.idle()
  for (const query of ['hauptstrasse', 'API', '备', '部署']) {
    t.same(await known(server, query), [content], query)
  }
})

t.test('an index of older tokens is searched by these until it is made anew, at the next start', async t => {
  const { id } = await file('Łasica ucieka')
  const entry = await server.ok<{ id: string }>('/v1/knowledge', { body: { content: 'Łasica śpi', kind: 'FACT' } })
  await server.idle()
  const { workspace } = await server.ok<{ workspace: { id: string } }>('/v1/users/me')
  const { db } = server.database
  const former = [...formerTokens('Łasica')]
  t.same(former, ['łasica'])
  for (const [name, document] of [
    ['issues', id],
    ['knowledge', entry.id]
  ] as const) {
    const term = termIdsOf({ workspaceId: workspace.id, name })(former[0]!)
    const weights = `{${term}:0.8}/1000000000`
    await sql`
      update search_document
      set words_hash = 'former', terms = array[${term}::integer], heavy_terms = array[${term}::integer],
        title_terms = array[${term}::integer], weights = ${weights}
      where id = ${document}`.execute(db)
    await sql`
      insert into search_term (workspace_id, term, pool, word, df)
      values (${workspace.id}, ${term}, ${name}, ${former[0]}, 1)`.execute(db)
  }
  await sql`update search_pool set tokens_version = 1`.execute(db)
  t.same(await titles('łasica'), ['Łasica ucieka'], 'by the older tokens')
  t.same(await titles('"łasica ucieka"'), ['Łasica ucieka'], 'in a phrase, too')
  t.same(await titles('lasica'), [], 'and not by those of today')

  const restarted = await testServer({ plugins, on: server })
  t.teardown(() => restarted.close())
  await restarted.idle()
  for (const query of ['lasica', 'łasica', '"lasica ucieka"']) {
    const hits = await restarted.ok<SearchHit[]>(`/v1/search?query=${encodeURIComponent(query)}`)
    t.equal(hits[0]?.title, 'Łasica ucieka', query)
  }
  t.same(await known(restarted, 'lasica'), ['Łasica śpi'])
  const { rows } = await sql<{ version: number }>`
    select distinct tokens_version as version from search_pool`.execute(restarted.database.db)
  t.same(rows, [{ version: TOKENS_VERSION }])
})
