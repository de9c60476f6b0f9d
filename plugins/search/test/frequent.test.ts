import t from 'tap'
import { newId } from '../../../core/db/id.ts'
import { testServer } from '../../../test/runner/harness.ts'
import type { SearchTables } from '../contract.ts'
import { wordIndex, type Pool, type QueryOptions } from '../word-index/index.ts'

/*
 * On a board of a million issues a query cannot score all issues with one of its words. The boards here are small, with
 * statistics of large ones.
 */
const server = await testServer({ plugins: ['workspace', 'agents', 'issues', 'comments', 'search'] })
t.teardown(() => server.close())
const db = server.database.db.withTables<Pick<SearchTables, 'searchPool' | 'searchTerm'>>()
const { workspace } = await server.ok<{ workspace: { id: string } }>('/v1/users/me')

/** Further words, so that a text is not about the searched ones. */
const talk = Array.from({ length: 40 }, (_, n) => `w${n}ord w${n}ord`).join(' ')

/** Indexes named texts and sets the statistics. @returns the names of the hits, best first */
async function board(texts: Record<string, string>, frequencies: Record<string, number>) {
  const pool: Pool = { workspaceId: workspace.id, name: newId() }
  const names = new Map(Object.keys(texts).map(name => [newId(), name]))
  await server.database.db.transaction().execute(trx =>
    wordIndex.put(
      trx,
      pool,
      [...names].map(([id, name]) => ({ id, title: name, description: texts[name]!, comments: '' }))
    )
  )
  await db.updateTable('searchPool').set({ documents: 1_000_000 }).where('pool', '=', pool.name).execute()
  for (const [word, df] of Object.entries(frequencies)) {
    await db.updateTable('searchTerm').set({ df }).where('pool', '=', pool.name).where('word', '=', word).execute()
  }
  return async (title: string, limit: number, more: QueryOptions & { description?: string } = {}) => {
    const { description = '', ...options } = more
    const query = await wordIndex.query(db, pool, { title, description }, options)
    return (await wordIndex.find(db, pool, query, limit)).map(({ id }) => names.get(id))
  }
}

t.test('of frequent words, what holds two is looked at; what holds one, when that is too little', async t => {
  const find = await board(
    { one: 'walrus', two: `${talk} walrus kestrel`, other: 'kestrel', none: 'zebra' },
    { walrus: 3_500, kestrel: 5_400 }
  )
  t.same(await find('kestrel walrus', 1), ['two'], 'though it is not about them')
  t.same(await find('kestrel walrus', 10), ['one', 'two'], 'the rarer of the two')
  t.same(await find('walrus', 10), ['one', 'two'])
  t.same(
    await find('kestrel walrus', 10, { isQuick: true }),
    ['two'],
    'and what holds one is not, when it must be quick'
  )
})

t.test('what holds a rare word is looked at in any case', async t => {
  const find = await board(
    { rare: 'zebra', two: 'walrus kestrel', one: 'walrus' },
    { walrus: 3_500, kestrel: 5_400, zebra: 50 }
  )
  t.same((await find('kestrel walrus zebra', 2)).sort(), ['rare', 'two'], 'and no third')
})

t.test('of words that are everywhere, what is about one', async t => {
  const find = await board({ about: 'walrus', mentions: `${talk} walrus` }, { walrus: 500_000 })
  t.same(await find('walrus', 10), ['about'])
})

t.test('of a word that too many have to score them all, what is about it', async t => {
  const find = await board({ about: 'walrus', mentions: `${talk} walrus` }, { walrus: 10_000 })
  t.same(await find('walrus', 10), ['about'])
})

t.test(
  'of several words that are everywhere, what is about two; what is about one, when that is too little',
  async t => {
    const frequencies = { walrus: 100_000, kestrel: 200_000, zebra: 300_000 }
    const find = await board(
      { one: 'walrus', two: 'zebra kestrel', mentions: `${talk} walrus kestrel zebra` },
      frequencies
    )
    t.same(await find('zebra kestrel walrus', 1), ['two'])
    t.same((await find('zebra kestrel walrus', 3)).sort(), ['one', 'two'])
  }
)

t.test('a word that is everywhere does not hide a rare one, though it weighs more', async t => {
  const find = await board({ about: 'walrus', rare: `${talk} zebra` }, { walrus: 50_000, zebra: 2_000 })
  t.same((await find('walrus', 2, { description: 'zebra' })).sort(), ['about', 'rare'])
})
