import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type RawBuilder,
  type Transaction
} from 'kysely'
import { maxInnerProduct } from 'pgvector/kysely'
import type { Id, Reader } from '../../../core/api/database/types.ts'
import type { SearchTables } from '../contract.ts'
import type { CandidatePlan, Choice } from './candidate-plans.ts'
import type { Frequencies, Query } from './query-vector.ts'
import { sparseVector, TOKENS_VERSION, type Pool, type TermId } from './terms.ts'

type Db = Reader<SearchTables>
type Trx = Transaction<SearchTables>

const MAX_LIKE_WORDS = 50
/** Maximum difference in length: stems are shorter than words. */
const MAX_SHORTER = 6
const MAX_LONGER = 2

export async function lockPool(db: Db, { workspaceId, name }: Pool): Promise<void> {
  // Raw: a function call, not a query.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`search ${workspaceId}/${name}`}, 0))`.execute(db)
}

interface StoredDocument {
  id: Id
  facets: TermId[]
  wordsHash: string | null
}

export const findDocuments = (db: Db, { workspaceId, name }: Pool, ids: readonly Id[]): Promise<StoredDocument[]> =>
  db
    .selectFrom('searchDocument')
    .select(['id', 'facets', 'wordsHash'])
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where(isOneOf(ids))
    .execute()

/** Their words, and so all indexes, are unchanged. */
export async function updateFacets(
  trx: Trx,
  { workspaceId, name }: Pool,
  changes: ReadonlyArray<{ id: Id; facets: readonly TermId[] }>
): Promise<void> {
  const changed = sql<{ id: Id; facets: TermId[] }>`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)`
  await trx
    .updateTable('searchDocument')
    .from(changed.as<'changed'>(sql`changed (id uuid, facets integer[])`))
    .set(eb => ({ facets: eb.ref('changed.facets') }))
    .where('searchDocument.workspaceId', '=', workspaceId)
    .where('searchDocument.pool', '=', name)
    .whereRef('searchDocument.id', '=', 'changed.id')
    .execute()
}

/** @returns the counted terms of the deleted documents */
export const deleteDocuments = (
  trx: Trx,
  { workspaceId, name }: Pool,
  ids: readonly Id[]
): Promise<Array<{ terms: TermId[]; facets: TermId[] }>> =>
  trx
    .deleteFrom('searchDocument')
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where(isOneOf(ids))
    .returning(['terms', 'facets'])
    .execute()

export async function insertDocuments(
  trx: Trx,
  rows: Array<Insertable<SearchTables['searchDocument']>>
): Promise<void> {
  await trx.insertInto('searchDocument').values(rows).execute()
}

export async function addToDocumentCount(trx: Trx, { workspaceId, name }: Pool, documents: number): Promise<void> {
  await trx
    .insertInto('searchPool')
    .values({ workspaceId, pool: name, documents, tokensVersion: TOKENS_VERSION })
    .onConflict(conflict =>
      conflict
        .columns(['workspaceId', 'pool'])
        .doUpdateSet(eb => ({ documents: eb('searchPool.documents', '+', eb.ref('excluded.documents')) }))
    )
    .execute()
}

export async function isOutdated(db: Db, { workspaceId, name }: Pool): Promise<boolean> {
  const row = await db
    .selectFrom('searchPool')
    .select('documents')
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where('tokensVersion', '<', TOKENS_VERSION)
    .executeTakeFirst()
  return row !== undefined
}

export async function setCurrent(trx: Trx, { workspaceId, name }: Pool): Promise<void> {
  await trx
    .updateTable('searchPool')
    .set({ tokensVersion: TOKENS_VERSION })
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where('tokensVersion', '<', TOKENS_VERSION)
    .execute()
}

interface FrequencyChange {
  term: TermId
  word: string
  change: number
}

export async function addToFrequencies(
  trx: Trx,
  { workspaceId, name }: Pool,
  changes: readonly FrequencyChange[]
): Promise<void> {
  const column = <K extends keyof FrequencyChange>(key: K) => changes.map(change => change[key])
  const rows = sql<{ term: TermId; word: string; df: number }>`
    unnest(${column('term')}::integer[], ${column('word')}::text[], ${column('change')}::integer[])`
  await trx
    .insertInto('searchTerm')
    .columns(['workspaceId', 'pool', 'term', 'word', 'df'])
    .expression(eb =>
      eb
        .selectFrom(rows.as<'row'>(sql`row (term, word, df)`))
        .select(({ val }) => [
          val(workspaceId).as('workspaceId'),
          val(name).as('pool'),
          'row.term',
          'row.word',
          'row.df'
        ])
    )
    .onConflict(conflict =>
      conflict
        .columns(['workspaceId', 'term'])
        .doUpdateSet(eb => ({ df: eb('searchTerm.df', '+', eb.ref('excluded.df')) }))
    )
    .execute()
}

export async function findFrequencies(
  db: Db,
  { workspaceId, name }: Pool,
  terms: readonly TermId[]
): Promise<Frequencies & { isCurrent: boolean }> {
  const rows = await db
    .selectFrom('searchPool')
    .leftJoin('searchTerm', join =>
      join.on('searchTerm.workspaceId', '=', workspaceId).on(sql<boolean>`search_term.term = any(${terms}::integer[])`)
    )
    .select(['searchPool.documents', 'searchPool.tokensVersion', 'searchTerm.term', 'searchTerm.df'])
    .where('searchPool.workspaceId', '=', workspaceId)
    .where('searchPool.pool', '=', name)
    .execute()
  return {
    documents: rows[0]?.documents ?? 0,
    isCurrent: (rows[0]?.tokensVersion ?? TOKENS_VERSION) >= TOKENS_VERSION,
    byTerm: new Map(rows.flatMap(({ term, df }) => (term === null || df === null ? [] : [[term, df] as const])))
  }
}

export async function findCompletions(
  db: Db,
  { workspaceId, name }: Pool,
  beginning: string,
  limit: number
): Promise<TermId[]> {
  const rows = await db
    .selectFrom('searchTerm')
    .select('term')
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where('df', '>', 0)
    .where('word', '>=', beginning)
    .where('word', '<', `${beginning}\u{10ffff}`)
    .orderBy('df', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => row.term)
}

export interface KnownWord {
  term: TermId
  word: string
  df: number
}

export const findWordsLike = (
  db: Db,
  { workspaceId, name }: Pool,
  word: string,
  beginnings: readonly string[]
): Promise<KnownWord[]> =>
  db
    .selectFrom('searchTerm')
    .select(['term', 'word', 'df'])
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where('df', '>', 0)
    .where(({ or, and, eb }) =>
      or(beginnings.map(beginning => and([eb('word', '>=', beginning), eb('word', '<', `${beginning}\u{10ffff}`)])))
    )
    .where(
      sql<boolean>`char_length(word) between ${word.length - MAX_SHORTER}::integer
      and ${word.length + MAX_LONGER}::integer`
    )
    .orderBy(sql`similarity(word, ${word})`, 'desc')
    .orderBy('df', 'desc')
    .limit(MAX_LIKE_WORDS)
    .execute()

export function hasDocument({ workspaceId, name }: Pool, id: Expression<Id>): RawBuilder<boolean> {
  const eb = expressionBuilder<SearchTables>()
  return sql<boolean>`exists (${eb
    .selectFrom('searchDocument as document')
    .select(sql.lit(1).as('one'))
    .where('document.workspaceId', '=', workspaceId)
    .where('document.pool', '=', name)
    .where('document.id', '=', id)})`
}

/** Rows of `id`, `facets` and `distance`, which is minus the score. */
export function scoreCandidates({ workspaceId, name }: Pool, { weights, anyFacet }: Query, plan: CandidatePlan) {
  const eb = expressionBuilder<SearchTables>()
  const candidates = eb
    .selectFrom('searchDocument')
    .select(['id', 'facets', 'weights'])
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', name)
    .where(candidate => isCandidate(candidate, plan))
    .$if(anyFacet !== undefined, query => query.where('facets', '&&', sql.val(anyFacet)))
    .limit(plan.limit)
  return eb
    .selectFrom(candidates.as('candidate'))
    .select(['candidate.id', 'candidate.facets', distanceOf('candidate.weights', weights).as('distance')])
}

const distanceOf = (column: string, weights: Query['weights']) =>
  maxInnerProduct(column, sparseVector(weights)).$castTo<number>()

export const scoreNamed = ({ workspaceId, name }: Pool, { weights }: Query, ids: readonly Id[]) =>
  expressionBuilder<SearchTables>()
    .selectFrom('searchDocument as named')
    .select(['named.id', sql<number>`-(${distanceOf('named.weights', weights)})`.as('score')])
    .where('named.workspaceId', '=', workspaceId)
    .where('named.pool', '=', name)
    .where(sql<boolean>`named.id = any(${ids}::uuid[])`)

export const bestCandidates = (db: Db, pool: Pool, query: Query, plan: CandidatePlan, limit: number) =>
  db
    .selectFrom(scoreCandidates(pool, query, plan).as('scored'))
    .select(['scored.id', sql<number>`-scored.distance`.as('score')])
    .orderBy('scored.distance')
    .limit(limit)

function isCandidate(eb: ExpressionBuilder<SearchTables, 'searchDocument'>, plan: CandidatePlan) {
  if ('all' in plan) return eb('terms', '@>', sql.val(plan.all))
  const chosen = (column: 'terms' | 'heavyTerms', { anyOf, pairs }: Choice) => {
    const hasAny = (terms: TermId[]) => eb(column, '&&', sql.val(terms))
    return [hasAny(anyOf), ...pairs.map(([one, other]) => eb.and([hasAny(one), hasAny(other)]))]
  }
  const { holds, isAbout } = plan
  return eb.or([...chosen('terms', holds), ...(isAbout ? chosen('heavyTerms', isAbout) : [])])
}

/** One parameter for any number of ids, so that the SQL is constant. */
const isOneOf = (ids: readonly Id[]) => sql<boolean>`id = any(${ids}::uuid[])`
