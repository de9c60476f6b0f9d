import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import type { Pool, SearchTables, TextIndex } from './contract.ts'
import { stem, unfinishedWord } from './tokens.ts'
import { analyse, documentVector, FIELD_NAMES, queryVector, question, sparse, termOf, type Field, type Frequencies, type Lengths, type Query } from './weights.ts'

type Db = Kysely<CoreTables & SearchTables>

const MOST_COMPLETIONS = 10
/** Characters of a query that are looked at. */
const LONGEST_QUERY = 20_000

const saltOf = ({ workspaceId, name }: Pool) => `${workspaceId}/${name}`

/** The documents that hold a term of the query; to be ordered by `distance`. */
export const candidates = (pool: Pool, query: Query, alias: string): RawBuilder<boolean> => {
  const d = sql.ref(alias)
  return sql<boolean>`${d}.workspace_id = ${pool.workspaceId} and ${d}.pool = ${pool.name} and ${d}.terms && ${query.candidates}::integer[]`
}
/** Minus the score. */
export const distance = (query: Query, alias: string): RawBuilder<number> =>
  sql<number>`(${sql.ref(alias)}.weights <#> ${sparse(query.weights)}::sparsevec)`

/** The word index, in tables that hold no words of anybody else's pool. */
export const textIndex: TextIndex = {
  async lock (trx, pool) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`search ${saltOf(pool)}`}, 0))`.execute(trx)
  },

  async put (trx: Transaction<CoreTables & SearchTables>, pool, texts, removed = []) {
    const analysed = texts.map(({ id, ...fields }) => ({ id, ...analyse(fields) }))
    const before = await forget(trx, pool, [...texts.map(t => t.id), ...removed])
    const averages = await count(trx, pool, before.rows, analysed.map(a => a.lengths))
    const salt = saltOf(pool)
    const changes = new Map<number, { n: number, word: string }>()
    for (const { terms } of before.rows) for (const term of terms) changes.set(term, { n: (changes.get(term)?.n ?? 0) - 1, word: '' })
    const rows = analysed.map(({ id, counts, lengths }) => {
      const { words, weights, titleTerms, descriptionTerms } = documentVector(salt, { counts, lengths }, averages)
      for (const [term, word] of words) changes.set(term, { n: (changes.get(term)?.n ?? 0) + 1, word })
      return { id, terms: [...words.keys()], titleTerms, descriptionTerms, weights: sparse(weights), ...lengthColumns(lengths) }
    })
    if (rows.length > 0) {
      await trx.insertInto('searchDocument').values(rows.map(row => ({ workspaceId: pool.workspaceId, pool: pool.name, ...row }))).execute()
    }
    await countTerms(trx, pool, changes)
  },

  async query (db: Db, pool, { title, description = '' }, { prefix = false, other = false } = {}) {
    const salt = saltOf(pool)
    const asked = question(salt, title.slice(0, LONGEST_QUERY), description.slice(0, LONGEST_QUERY))
    const unfinished = prefix ? unfinishedWord(title) : undefined
    if (unfinished !== undefined) asked.expansions = (await completions(db, pool, unfinished)).filter(term => term !== termOf(salt, stem(unfinished)))
    return queryVector(asked, await frequencies(db, pool, [...asked.terms.keys(), ...asked.expansions]), other ? 2 : 1)
  },

  async find (db: Db, pool, query, limit) {
    if (query.candidates.length === 0) return []
    const { rows } = await sql<{ id: Id, score: number }>`
      select d.id, -${distance(query, 'd')} as score from search_document d
      where ${candidates(pool, query, 'd')} order by ${distance(query, 'd')} limit ${limit}`.execute(db)
    return rows
  }
}

const lengthColumns = (lengths: Lengths) => ({ titleLength: lengths.title, descriptionLength: lengths.description, commentsLength: lengths.comments })

interface Before { terms: number[], titleLength: number, descriptionLength: number, commentsLength: number }

const forget = (db: Db, pool: Pool, ids: readonly Id[]) => sql<Before>`
  delete from search_document where workspace_id = ${pool.workspaceId} and pool = ${pool.name} and id = any(${ids}::uuid[])
  returning terms, title_length, description_length, comments_length`.execute(db)

/** Counts what came and what went; returns the mean lengths from now on. */
async function count (db: Db, pool: Pool, gone: readonly Before[], come: readonly Lengths[]): Promise<Lengths> {
  const sum = (field: Field) => come.reduce((n, lengths) => n + lengths[field], 0) - gone.reduce((n, row) => n + row[`${field}Length`], 0)
  const { rows: [row] } = await sql<{ documents: number } & Omit<Before, 'terms'>>`
    insert into search_pool as p (workspace_id, pool, documents, title_length, description_length, comments_length)
    values (${pool.workspaceId}, ${pool.name}, ${come.length - gone.length}, ${sum('title')}, ${sum('description')}, ${sum('comments')})
    on conflict (workspace_id, pool) do update set documents = p.documents + excluded.documents, title_length = p.title_length + excluded.title_length,
      description_length = p.description_length + excluded.description_length, comments_length = p.comments_length + excluded.comments_length
    returning documents, title_length, description_length, comments_length`.execute(db)
  return Object.fromEntries(FIELD_NAMES.map(field => [field, row![`${field}Length`] / Math.max(row!.documents, 1)])) as Lengths
}

/** In the order of the terms, so that two writers never wait for each other in a circle. */
async function countTerms (db: Db, pool: Pool, changes: Map<number, { n: number, word: string }>): Promise<void> {
  const changed = [...changes].filter(([, { n }]) => n !== 0).sort(([a], [b]) => a - b)
  if (changed.length === 0) return
  await sql`
    insert into search_term as t (workspace_id, pool, term, word, df)
    select ${pool.workspaceId}, ${pool.name}, c.term, c.word, c.n
    from unnest(${changed.map(([term]) => term)}::integer[], ${changed.map(([, { word }]) => word)}::text[], ${changed.map(([, { n }]) => n)}::integer[]) as c (term, word, n)
    on conflict (workspace_id, term) do update set df = t.df + excluded.df`.execute(db)
}

async function frequencies (db: Db, pool: Pool, terms: readonly number[]): Promise<Frequencies> {
  const { rows } = await sql<{ documents: number, term: number | null, df: number }>`
    select p.documents, t.term, t.df from search_pool p
    left join search_term t on t.workspace_id = p.workspace_id and t.term = any(${terms}::integer[])
    where p.workspace_id = ${pool.workspaceId} and p.pool = ${pool.name}`.execute(db)
  return { documents: rows[0]?.documents ?? 0, of: new Map(rows.flatMap(({ term, df }) => term === null ? [] : [[term, df]])) }
}

/** The most frequent words of the pool that begin so. */
async function completions (db: Db, { workspaceId, name }: Pool, beginning: string): Promise<number[]> {
  const { rows } = await sql<{ term: number }>`
    select term from search_term where workspace_id = ${workspaceId} and pool = ${name} and df > 0
    and word >= ${beginning} and word < ${`${beginning}\u{10ffff}`} order by df desc limit ${MOST_COMPLETIONS}`.execute(db)
  return rows.map(row => row.term)
}
