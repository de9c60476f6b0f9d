import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Id } from '../../core/db/tables.ts'
import type { Tables } from './queries.ts'

/*
 * Words: BM25 over an inverted index in a table. PostgreSQL's own parser and stemmer make the terms.
 * An entry's term weighs tf / (tf + k·(1 - b + b·length / average)); the average is fixed, as entries are short, so
 * that a weight never changes. A query's rarest terms find the candidates.
 */
const K = 1.2
const B = 0.5
const AVERAGE_LENGTH = 30
/** Postings that are counted of one term: beyond, it is common, and how common is not worth knowing. */
const COMMON = 1_000
/** Postings that one query may read. */
const MOST_POSTINGS = 4_000
/** Different terms of a query that are looked at. */
const MOST_TERMS = 60

/** The terms of a text with the number of times that each occurs. */
const termsOf = (text: string): RawBuilder<unknown> => sql`(select lexeme as term, cardinality(positions) as tf from unnest(to_tsvector('english', ${text})))`

/** Writes an entry's terms anew. */
export async function indexEntry (db: Kysely<Tables>, workspaceId: Id, id: Id, text: string): Promise<void> {
  await db.deleteFrom('knowledgeTerm').where('workspaceId', '=', workspaceId).where('entryId', '=', id).execute()
  await sql`
    with terms as materialized ${termsOf(text)}, length as (select coalesce(sum(tf), 0) as n, count(*) as different from terms),
    sized as (update knowledge_entry set terms = length.different from length where workspace_id = ${workspaceId} and id = ${id})
    insert into knowledge_term (workspace_id, term, entry_id, weight)
    select ${workspaceId}, left(term, 200), ${id}, max(tf / (tf + ${K}::real * (1 - ${B}::real + ${B}::real * length.n / ${AVERAGE_LENGTH}::real)))
    from terms, length group by left(term, 200)`.execute(db)
}

/** A relation `(entry_id, score)` of what the words of `text` find, best first; scores are comparable within one answer. */
export const foundByWords = (workspaceId: Id, text: string, limit: number): RawBuilder<unknown> => sql`(
  with asked as materialized (select term, tf::double precision as tf from ${termsOf(text)} words order by tf desc, length(term) desc limit ${MOST_TERMS}),
  counted as materialized (
    select asked.term, asked.tf, postings.n, sum(postings.n) over (order by postings.n, asked.term) as read
    from asked, lateral (select count(*)::double precision as n from (select 1 from knowledge_term t where t.workspace_id = ${workspaceId} and t.term = left(asked.term, 200) limit ${COMMON}) few) postings
    where postings.n > 0),
  total as materialized (select count(*)::double precision as n from (select 1 from knowledge_entry where workspace_id = ${workspaceId} and deleted_at is null and status <> 'SUPERSEDED' limit 100000) entries),
  -- Once per term: done per posting, the logarithm would be most of the work.
  weighed as materialized (
    select left(term, 200) as term, ln(1 + (greatest(total.n - counted.n, 0) + 0.5) / (counted.n + 0.5)) * (2 * tf / (1 + tf)) as weight
    from counted, total where read <= ${MOST_POSTINGS} or read = counted.n)
  select t.entry_id, sum(t.weight * weighed.weight) as score
  from weighed join knowledge_term t on t.workspace_id = ${workspaceId} and t.term = weighed.term
  group by t.entry_id order by score desc limit ${limit})`

/** Entries are near duplicates when they share so much of all the words that they have (Jaccard). */
const NEAR = 0.8

/** The entry most like `text`, if it says nearly the same. */
export async function nearDuplicate (db: Kysely<Tables>, workspaceId: Id, text: string, now: Date): Promise<Id | undefined> {
  const { rows: [row] } = await sql<{ id: Id }>`
    with asked as materialized (select left(term, 200) as term from ${termsOf(text)} words),
    size as (select count(*) as n from asked),
    near as (
      select t.entry_id, count(*) as shared from asked
      join knowledge_term t on t.workspace_id = ${workspaceId} and t.term = asked.term
      where t.entry_id in (select entry_id from ${foundByWords(workspaceId, text, 50)} found)
      group by t.entry_id)
    select e.id from near
    join size on true
    join knowledge_entry e on e.workspace_id = ${workspaceId} and e.id = near.entry_id
      and e.deleted_at is null and e.status <> 'SUPERSEDED' and (e.expires_at is null or e.expires_at > ${now})
    where near.shared >= ${NEAR}::real * (size.n + e.terms - near.shared)
    order by near.shared::real / (size.n + e.terms - near.shared) desc, e.id limit 1`.execute(db)
  return row?.id
}
