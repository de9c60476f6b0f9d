import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql, type Insertable, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { CoreTables, Handle, Id, TransactionHandle } from '../../core/db/tables.ts'
import { stem } from '../../core/words.ts'
import type { IndexedText, SearchTables, Texts } from './contract.ts'
import { phrasesOf, unfinishedWord } from './query-text.ts'
import {
  documentVector,
  queryVector,
  questionTerms,
  sparse,
  termOf,
  termsIn,
  type Frequencies,
  type Query,
  type Question,
  type Reading
} from './weights.ts'

type Db = Kysely<CoreTables & SearchTables>

/** Where texts are searched: the texts of one kind in one workspace. */
export interface Pool {
  workspaceId: Id
  name: string
}

/** A word index over texts of any kind; the vectors are in `search_document`, bounded by workspace and pool. */
export interface WordIndex {
  /** Must be called before the texts are read, so that of two writers the later one has read the later text. */
  lock(trx: TransactionHandle, pool: Pool): Promise<void>
  /**
   * Indexes texts, replacing what their ids held, and forgets those of `removed`. Words that are indexed already stay
   * as they are, unless `anew`.
   */
  put(
    trx: TransactionHandle,
    pool: Pool,
    texts: readonly IndexedText[],
    options?: { removed?: readonly Id[]; anew?: boolean }
  ): Promise<void>
  /**
   * What a text asks for. `prefix`: its last word may be unfinished. `phrases`: what it quotes must occur, at least
   * word by word.
   * `other`: the text is itself in the pool, so a term must be in another one, too.
   * `within`: facets of which a hit has one.
   */
  query(
    db: Handle,
    pool: Pool,
    text: { title: string; description?: string; facets?: readonly string[] },
    options?: { prefix?: boolean; phrases?: boolean; other?: boolean; within?: readonly string[] | undefined }
  ): Promise<Query>
  /** The best texts of a pool and their scores, best first. */
  find(db: Handle, pool: Pool, query: Query, limit: number): Promise<Array<{ id: Id; score: number }>>
  /** SQL: whether the index has the text of that id. */
  holds(pool: Pool, id: RawBuilder<Id>): RawBuilder<boolean>
}

const MOST_COMPLETIONS = 10
/** Characters of a query that are looked at. */
export const MAX_QUERY_LENGTH = 20_000
/** Characters of a text after which the event loop turns before the next one is indexed. */
const MAX_LENGTH_PER_TURN = 10_000
/** Terms that one statement counts: the embedded database keeps the event loop while it runs. */
const MAX_TERMS_PER_STATEMENT = 2_000

const lengthOf = ({ title, description, comments }: Texts) => title.length + description.length + comments.length

const saltOf = ({ workspaceId, name }: Pool) => `${workspaceId}/${name}`
const facetOf = (salt: string, facet: string) => termOf(salt, `\0${facet}`)

/** The documents of a reading, as rows of `id`, `facets` and `distance`, which is minus the score. */
export const scored = (
  { workspaceId, name }: Pool,
  { weights, within }: Query,
  reading: Reading
): RawBuilder<unknown> => sql`
  select d.id, d.facets, d.weights <#> ${sparse(weights)}::sparsevec as distance from (
    select id, facets, weights from search_document where workspace_id = ${workspaceId} and pool = ${name}
    and ${isIn(reading)}
    ${within === undefined ? sql`` : sql`and facets && ${within}::integer[]`}
    limit ${reading.most}) d`

function isIn(reading: Reading): RawBuilder<boolean> {
  if ('all' in reading) return sql`terms @> ${reading.all}::integer[]`
  if ('about' in reading) return sql`heavy_terms && ${reading.about}::integer[]`
  const holds = (terms: number[]) => sql<boolean>`terms && ${terms}::integer[]`
  return sql`(${sql.join([holds(reading.alone), ...reading.pairs.map(([one, other]) => sql`${holds(one)} and ${holds(other)}`)], sql` or `)})`
}

/** The rows of the first reading that has enough, or else of the last. */
export async function readUntil<T>(
  enough: number,
  { readings }: Query,
  read: (reading: Reading) => Promise<T[]>
): Promise<T[]> {
  let rows: T[] = []
  for (const reading of readings) {
    rows = await read(reading)
    if (rows.length >= enough) break
  }
  return rows
}

/** The word index, in tables that hold no words of anybody else's pool. */
export const textIndex: WordIndex = {
  async lock(trx, pool) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`search ${saltOf(pool)}`}, 0))`.execute(trx)
  },

  async put(trx: Transaction<CoreTables & SearchTables>, pool, texts, { removed = [], anew = false } = {}) {
    const { workspaceId, name } = pool
    const salt = saltOf(pool)
    const changes = new Map<number, { n: number; word: string }>()
    const change = (term: number, n: 1 | -1, word: string) =>
      changes.set(term, { n: (changes.get(term)?.n ?? 0) + n, word })
    const given = texts.map(({ id, facets = [], ...words }) => ({
      id,
      facets: [...new Set(facets)].map(facet => facetOf(salt, facet)),
      words,
      hash: hash('sha1', JSON.stringify(words))
    }))

    const { rows: held } = await sql<{ id: Id; facets: number[]; hash: string | null }>`
      select id, facets, words_hash as hash from search_document where workspace_id = ${workspaceId} and pool = ${name} and id = any(${texts.map(t => t.id)}::uuid[])`.execute(
      trx
    )
    const before = new Map(held.map(row => [row.id, row]))
    const [same, other] = partition(given, ({ id, hash }) => !anew && before.get(id)?.hash === hash)

    const moved = same.filter(({ id, facets }) => !isDeepStrictEqual(before.get(id)?.facets, facets))
    for (const { id, facets } of moved) {
      for (const facet of before.get(id)?.facets ?? []) change(facet, -1, '')
      for (const facet of facets) change(facet, 1, '')
    }
    if (moved.length > 0) {
      await sql`update search_document d set facets = n.facets from jsonb_to_recordset(${JSON.stringify(moved.map(({ id, facets }) => ({ id, facets })))}::jsonb) as n (id uuid, facets integer[])
        where d.workspace_id = ${workspaceId} and d.pool = ${name} and d.id = n.id`.execute(trx)
    }

    const leaving = [...other.map(t => t.id).filter(id => before.has(id)), ...removed]
    const { rows: gone } =
      leaving.length === 0
        ? { rows: [] }
        : await sql<{ terms: number[]; facets: number[] }>`
      delete from search_document where workspace_id = ${workspaceId} and pool = ${name} and id = any(${leaving}::uuid[])
      returning terms, facets`.execute(trx)
    for (const { terms, facets } of gone) for (const term of [...terms, ...facets]) change(term, -1, '')
    const rows: Array<Insertable<SearchTables['searchDocument']>> = []
    for (const { id, facets, words: fields, hash: wordsHash } of other) {
      const { words, weights, ...terms } = documentVector(salt, fields)
      for (const [term, word] of words) change(term, 1, word)
      for (const facet of facets) change(facet, 1, '')
      rows.push({
        workspaceId,
        pool: name,
        id,
        terms: [...words.keys()],
        ...terms,
        facets,
        weights: sparse(weights),
        wordsHash
      })
      // A text may be long; requests have their turn between two.
      if (lengthOf(fields) > MAX_LENGTH_PER_TURN) await setImmediate()
    }
    if (rows.length > 0) await trx.insertInto('searchDocument').values(rows).execute()
    const documents = rows.length - gone.length
    if (documents !== 0) {
      await trx
        .insertInto('searchPool')
        .values({ workspaceId, pool: name, documents })
        .onConflict(c =>
          c
            .columns(['workspaceId', 'pool'])
            .doUpdateSet(eb => ({ documents: eb('searchPool.documents', '+', eb.ref('excluded.documents')) }))
        )
        .execute()
    }
    await countTerms(trx, pool, changes)
  },

  async query(
    db: Db,
    pool,
    { title, description = '', facets = [] },
    { prefix = false, phrases = false, other = false, within } = {}
  ) {
    const salt = saltOf(pool)
    const unfinished = prefix ? unfinishedWord(title) : undefined
    const question: Question = {
      terms: questionTerms(salt, title.slice(0, MAX_QUERY_LENGTH), description.slice(0, MAX_QUERY_LENGTH)),
      completions:
        unfinished === undefined
          ? []
          : (await completions(db, pool, unfinished)).filter(term => term !== termOf(salt, stem(unfinished))),
      required: phrases ? phrasesOf(title).flatMap(phrase => termsIn(salt, phrase)) : [],
      facets: facets.map(facet => facetOf(salt, facet)),
      within: within?.map(facet => facetOf(salt, facet))
    }
    return queryVector(
      question,
      await frequencies(db, pool, [...question.terms.keys(), ...question.completions, ...question.facets]),
      other ? 2 : 1
    )
  },

  find: (db: Db, pool, query, limit) =>
    readUntil(limit, query, async reading => {
      const { rows } = await sql<{ id: Id; score: number }>`${best(pool, query, reading, limit)}`.execute(db)
      return rows
    }),

  holds: (pool, id) =>
    sql`exists (select 1 from search_document d where d.workspace_id = ${pool.workspaceId} and d.pool = ${pool.name} and d.id = ${id})`
}

/** The best documents of a reading, as rows of `id` and `score`, best first. */
export const best = (pool: Pool, query: Query, reading: Reading, limit: number): RawBuilder<unknown> =>
  sql`select id, -distance as score from (${scored(pool, query, reading)}) scored order by distance limit ${limit}`

/** In the order of the terms, so that two writers never wait for each other in a circle. */
async function countTerms(db: Db, pool: Pool, changes: Map<number, { n: number; word: string }>): Promise<void> {
  const changed = [...changes].filter(([, { n }]) => n !== 0).sort(([a], [b]) => a - b)
  for (let n = 0; n < changed.length; n += MAX_TERMS_PER_STATEMENT) {
    if (n > 0) await setImmediate()
    await addToCounts(db, pool, changed.slice(n, n + MAX_TERMS_PER_STATEMENT))
  }
}

type Count = [term: number, { n: number; word: string }]

async function addToCounts(db: Db, pool: Pool, changed: readonly Count[]): Promise<void> {
  await sql`
    insert into search_term as t (workspace_id, pool, term, word, df)
    select ${pool.workspaceId}, ${pool.name}, c.term, c.word, c.n
    from unnest(${changed.map(([term]) => term)}::integer[], ${changed.map(([, { word }]) => word)}::text[], ${changed.map(([, { n }]) => n)}::integer[]) as c (term, word, n)
    on conflict (workspace_id, term) do update set df = t.df + excluded.df`.execute(db)
}

async function frequencies(db: Db, pool: Pool, terms: readonly number[]): Promise<Frequencies> {
  const { rows } = await sql<{ documents: number; term: number | null; df: number }>`
    select p.documents, t.term, t.df from search_pool p
    left join search_term t on t.workspace_id = p.workspace_id and t.term = any(${terms}::integer[])
    where p.workspace_id = ${pool.workspaceId} and p.pool = ${pool.name}`.execute(db)
  return {
    documents: rows[0]?.documents ?? 0,
    of: new Map(rows.flatMap(({ term, df }) => (term === null ? [] : [[term, df]])))
  }
}

/** The most frequent words of the pool that begin so. */
async function completions(db: Db, { workspaceId, name }: Pool, beginning: string): Promise<number[]> {
  const { rows } = await sql<{ term: number }>`
    select term from search_term where workspace_id = ${workspaceId} and pool = ${name} and df > 0
    and word >= ${beginning} and word < ${`${beginning}\u{10ffff}`} order by df desc limit ${MOST_COMPLETIONS}`.execute(
    db
  )
  return rows.map(row => row.term)
}

function partition<T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(items, item => (is(item) ? 'yes' : 'no'))
  return [yes, no]
}
