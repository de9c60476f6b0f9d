import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { iso } from '../../core/db/sql.ts'
import { groupsOf } from '../../core/db/bounded-rows.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import { notFound } from '../../core/errors.ts'
import { tokenize } from '../../core/words.ts'
import type { CommentsTables } from '../comments/contract.ts'
import type { ReferenceField, IssuesTables } from '../issues/contract.ts'
import type { StateCategory, WorkspaceTables } from '../workspace/contract.ts'
import type { SearchTables } from './contract.ts'
import { issueFacets, issuePool } from './issue-index.ts'
import { fused, type Meaning } from './meaning.ts'
import { holdersOfPhrases, MAX_PHRASE_CANDIDATES } from './phrases.ts'
import type { SearchHit } from './schemas.ts'
import { firstSufficient, MAX_QUERY_LENGTH, scoreCandidates, termIdsOf, type Query } from './word-index/index.ts'

type Db = Kysely<CoreTables & WorkspaceTables & IssuesTables & CommentsTables & SearchTables>

/** Hits that are looked at more closely than by their words. */
const MAX_CANDIDATES = 200

export interface Ranked {
  id: Id
  score: number
}

interface Ranking {
  /** A title like it counts more. */
  title: string
  /** The issue that others are compared with; it is no hit itself. */
  of?: { id: Id; createdAt: Date; priors: boolean; collapse: boolean }
  limit: number
  /** Empty: all. */
  categories: StateCategory[]
  meaning: Meaning | undefined
}

/** The states of some categories, as an index knows them; undefined for all. */
export async function statesIn(db: Db, workspaceId: Id, categories: StateCategory[]): Promise<Id[] | undefined> {
  if (categories.length === 0) return undefined
  const states = await db
    .selectFrom('workflowState')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('category', 'in', categories)
    .execute()
  return states.map(state => state.id)
}

/** What an issue is compared by. */
export async function askingIssue(
  db: Db,
  workspaceId: Id,
  id: Id,
  references: readonly ReferenceField[]
): Promise<{ title: string; description: string; createdAt: Date; facets: string[] }> {
  const {
    rows: [issue]
  } = await sql<{ title: string; description: string; createdAt: Date; facets: string[] }>`
    select i.title, left(i.description_markdown, ${MAX_QUERY_LENGTH}) as description, i.created_at, ${issueFacets(references)} as facets
    from issue i where i.workspace_id = ${workspaceId} and i.id = ${id}`.execute(db)
  if (!issue) throw notFound('issue', id)
  return issue
}

/** Joins the issue with the id of a row, as `i`, and its state, as `state`. */
const issueOf = (workspaceId: Id, row: string): RawBuilder<unknown> => sql`
  join issue i on i.workspace_id = ${workspaceId} and i.id = ${sql.ref(`${row}.id`)} and i.deleted_at is null
  join workflow_state state on state.workspace_id = i.workspace_id and state.id = i.state_id`

/** The best issues for a query that hold its phrases, best first. */
export async function rank(
  db: Db,
  workspaceId: Id,
  query: Query,
  { phrases, limit, ...ranking }: Ranking & { phrases: string[] }
): Promise<Ranked[]> {
  if (phrases.length === 0) return rankByWords(db, workspaceId, query, { ...ranking, limit }, MAX_CANDIDATES)
  const candidates = { ...ranking, limit: MAX_PHRASE_CANDIDATES }
  const ranked = await rankByWords(db, workspaceId, query, candidates, MAX_PHRASE_CANDIDATES)
  const ids = ranked.map(({ id }) => id)
  const holders = await holdersOfPhrases(db, workspaceId, ids, phrases)
  return ranked.filter(({ id }) => holders.has(id)).slice(0, limit)
}

/** The best issues for a query, best first, in one statement for each plan that it needs. */
async function rankByWords(
  db: Db,
  workspaceId: Id,
  query: Query,
  { title, of, limit, categories, meaning }: Ranking,
  maxCandidates: number
): Promise<Ranked[]> {
  if (query.weights.size === 0 && !meaning) return []
  const wanted = isIn(categories)
  return await firstSufficient(limit, query.plans, async plan => {
    const { rows } = await sql<Ranked>`
      with worded as materialized (
        select i.id, -s.distance as score
        from (select * from ${scoreCandidates(issuePool(workspaceId), query, plan)} scored order by distance) s
        ${issueOf(workspaceId, 's')} where ${wanted} ${of === undefined ? sql`` : sql`and i.id <> ${of.id}`}
        order by s.distance limit ${maxCandidates}
      ), own as materialized (
        select i.id, f.score * (1 + similarity(i.title, ${title})) * case state.category when 'CANCELED' then 0.9 else 1 end
          ${of?.priors ? priorsOf(of.createdAt, query.facetRarity) : sql``} as score
        from (${fused(sql`select * from worded`, meaning)}) f ${issueOf(workspaceId, 'f')}
        left join search_document d on d.workspace_id = i.workspace_id and d.pool = 'issues' and d.id = i.id where ${wanted}
      ), total as (${of?.collapse ? collapsed(workspaceId, of.id, wanted) : sql`select id, score from own`})
      select id, score from total order by score desc, id limit ${limit}`.execute(db)
    return rows
  })
}

/**
 * What makes it likelier that two issues are about the same, beside their words: what they have in common, the rarer
 * the more, and closeness in time. Tuned with `bench/search.ts`.
 */
const priorsOf = (createdAt: Date, facets: ReadonlyMap<number, number>): RawBuilder<number> => sql`
  * least(3, coalesce((select exp(sum(ln(1.2 + 0.8 * asked.rarity)))
      from unnest(${[...facets.keys()]}::integer[], ${[...facets.values()]}::float8[]) as asked (facet, rarity) where asked.facet = any(d.facets)), 1))
  * (1 + 1.3 / (1 + abs(extract(epoch from i.created_at - ${createdAt}::timestamptz)) / 86400 / 150))`

/**
 * An issue is found through its known duplicates, too, which themselves step back behind it. What the asking issue
 * duplicates is not used.
 */
const collapsed = (workspaceId: Id, of: Id, wanted: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  select coalesce(own.id, through.id) as id,
    greatest(coalesce(own.score, 0) * case when exists (select 1 from issue_relation r where r.workspace_id = ${workspaceId} and r.issue_id = own.id and r.type = 'DUPLICATE_OF' and r.deleted_at is null) then 0.9 else 1 end,
      1.1 * coalesce(through.score, 0)) + case when through.id is null then 0 else 0.4 * coalesce(own.score, 0) end as score
  from own full join (
    select r.related_issue_id as id, max(own.score) as score from own
    join issue_relation r on r.workspace_id = ${workspaceId} and r.issue_id = own.id and r.type = 'DUPLICATE_OF' and r.deleted_at is null and r.related_issue_id <> ${of}
    join issue i on i.workspace_id = r.workspace_id and i.id = r.related_issue_id and i.deleted_at is null
    join workflow_state state on state.workspace_id = i.workspace_id and state.id = i.state_id
    where ${wanted} group by 1
  ) through on through.id = own.id`

/** Over the row `state`, the state of an issue. */
const isIn = (categories: StateCategory[]): RawBuilder<boolean> =>
  categories.length === 0 ? sql`true` : sql`state.category = any(${categories}::text[])`

/** A hit without its description, which may be long; `withDescriptions` adds it. */
export type FoundIssue = Omit<SearchHit, 'descriptionMarkdown'> & { descriptionBytes: number }
type Row = Omit<FoundIssue, 'score' | 'matchedIn' | 'commentId' | 'distance'> & {
  titleTerms: number[] | null
  descriptionTerms: number[] | null
  terms: number[] | null
}

/** The hits, in the order of their ranks. */
export async function completeHits(
  db: Db,
  workspaceId: Id,
  ranked: Ranked[],
  query: Query,
  categories: StateCategory[],
  meaning: Meaning | undefined
): Promise<FoundIssue[]> {
  if (ranked.length === 0) return []
  const { rows } = await sql<Row>`
    select i.id, t.identifier || '-' || i.number as key, i.title, octet_length(i.description_markdown) as description_bytes, i.state_id, s.category as state_category, i.team_id, i.number, i.workspace_id,
      i.assignee_id, i.priority, array(select l.label_id from issue_label l where l.workspace_id = i.workspace_id and l.issue_id = i.id order by l.label_id) as label_ids,
      ${iso('i.updated_at')} as updated_at, case when s.category = 'COMPLETED' then r.snippet end as resolution_snippet,
      d.title_terms, d.description_terms, d.terms
    from issue i
    join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
    join workflow_state s on s.workspace_id = i.workspace_id and s.id = i.state_id
    left join issue_resolution r on r.workspace_id = i.workspace_id and r.issue_id = i.id
    left join search_document d on d.workspace_id = i.workspace_id and d.pool = 'issues' and d.id = i.id
    where i.workspace_id = ${workspaceId} and i.id = any(${ranked.map(r => r.id)}::uuid[]) and i.deleted_at is null`.execute(
    db
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  const distances = new Map(meaning?.near.map(hit => [hit.id, hit.distance]))
  const hits = ranked.flatMap(({ id, score }): FoundIssue[] => {
    const row = byId.get(id)
    if (!row || (categories.length > 0 && !categories.includes(row.stateCategory))) return []
    const { titleTerms, descriptionTerms, terms, ...shown } = row
    return [{ ...shown, score, distance: distances.get(id) ?? null, matchedIn: matchedIn(query, row), commentId: null }]
  })
  await nameComments(
    db,
    workspaceId,
    hits.filter(hit => hit.matchedIn === 'comment'),
    query
  )
  return hits
}

/** The field that holds the most of what was asked for. */
function matchedIn({ weights }: Query, { titleTerms, descriptionTerms, terms }: Row): SearchHit['matchedIn'] {
  const sum = (of: Iterable<number>) => {
    let total = 0
    for (const term of of) total += weights.get(term) ?? 0
    return total
  }
  const title = new Set(titleTerms)
  const description = new Set(descriptionTerms)
  const [inTitle, inDescription] = [sum(title), sum(description)]
  const inCommentsOnly = sum((terms ?? []).filter(term => !title.has(term) && !description.has(term)))
  if (inCommentsOnly > Math.max(inTitle, inDescription)) return 'comment'
  return inDescription > inTitle ? 'description' : 'title'
}

/** Of each hit, the comment that holds the most of what was asked for. */
async function nameComments(db: Db, workspaceId: Id, hits: FoundIssue[], { weights }: Query): Promise<void> {
  if (hits.length === 0) return
  const { rows } = await sql<{ id: Id; issueId: Id; text: string }>`
    select sized.id, sized.issue_id, left(sized.body_markdown, ${MAX_COMPARED_LENGTH}) as text from (
      select c.id, c.issue_id, c.created_at, c.body_markdown,
        sum(least(octet_length(c.body_markdown), ${MAX_COMPARED_LENGTH}::int))
          over (partition by c.issue_id order by c.created_at desc, c.id desc) as total
      from comment c
      where c.workspace_id = ${workspaceId} and c.issue_id = any(${hits.map(hit => hit.id)}::uuid[])
      and c.deleted_at is null) as sized
    where sized.total <= ${Math.max(Math.round(MAX_COMPARED_BYTES / hits.length), MAX_COMPARED_LENGTH)}::int
    order by sized.created_at, sized.id`.execute(db)
  const comments = Map.groupBy(rows, row => row.issueId)
  const termId = termIdsOf(issuePool(workspaceId))
  for (const hit of hits) {
    let best = 0
    for (const { id, text } of comments.get(hit.id) ?? []) {
      const terms = new Set(tokenize(text).map(token => termId(token.text)))
      const score = [...terms].reduce((total, term) => total + (weights.get(term) ?? 0), 0)
      if (score > best) [best, hit.commentId] = [score, id]
    }
    await setImmediate()
  }
}

/** Characters of a comment, and bytes of all comments, that are compared with a query: the newest. */
const MAX_COMPARED_LENGTH = 10_000
const MAX_COMPARED_BYTES = 1024 * 1024

/** The hits in full, as texts of items joined by commas. */
export async function* withDescriptions(db: Db, workspaceId: Id, hits: readonly FoundIssue[]): AsyncGenerator<string> {
  const byId = new Map(hits.map(hit => [hit.id, hit]))
  for (const ids of groupsOf(hits.map(({ id, descriptionBytes }) => [id, descriptionBytes]))) {
    const rows = await db
      .selectFrom('issue')
      .select(['id', 'descriptionMarkdown'])
      .where('workspaceId', '=', workspaceId)
      .where('id', 'in', ids)
      .execute()
    const descriptions = new Map(rows.map(row => [row.id, row.descriptionMarkdown]))
    yield ids
      .flatMap(id => {
        const { descriptionBytes: _, ...hit } = byId.get(id)!
        const descriptionMarkdown = descriptions.get(id)
        return descriptionMarkdown === undefined ? [] : [JSON.stringify({ ...hit, descriptionMarkdown })]
      })
      .join(',')
  }
}
