import { sql, type Kysely, type RawBuilder } from 'kysely'
import { iso } from '../../core/db/sql.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import type { CommentsTables } from '../comments/contract.ts'
import type { IssuesTables } from '../issues/contract.ts'
import type { StateCategory, WorkspaceTables } from '../workspace/contract.ts'
import type { SearchTables } from './contract.ts'
import { issuePool } from './issue-index.ts'
import type { SearchHit } from './schemas.ts'
import { candidates, distance } from './text-index.ts'
import { tokenize } from './tokens.ts'
import { termOf, type Query } from './weights.ts'

type Db = Kysely<CoreTables & WorkspaceTables & IssuesTables & CommentsTables & SearchTables>

/** Hits that are looked at more closely than by their words. */
const MOST_CANDIDATES = 200

export interface Ranked { id: Id, score: number }

interface Ranking {
  limit: number
  /** Empty: all. */
  categories: StateCategory[]
  /** Each must occur, in any case. */
  phrases: string[]
  /** The issue that others are compared with; it is no hit itself. */
  of?: Id
  /** The free text: a title like it counts more. */
  title?: string
  priors: boolean
  collapse: boolean
}

export async function issueText (db: Db, workspaceId: Id, id: Id): Promise<{ title: string, description: string }> {
  return db.selectFrom('issue').select(['title', 'descriptionMarkdown as description']).where('workspaceId', '=', workspaceId).where('id', '=', id).executeTakeFirstOrThrow()
}

/** The best issues for a query, best first, in one statement. */
export async function rank (db: Db, workspaceId: Id, query: Query, { limit, categories, phrases, of, title, priors, collapse }: Ranking): Promise<Ranked[]> {
  if (query.candidates.length === 0) return []
  const pool = issuePool(workspaceId)
  const wanted = conditions(categories, phrases)
  const asking = of !== undefined && priors
  const { rows } = await sql<Ranked>`
    with found as materialized (
      select d.id, -${distance(query, 'd')} as words from search_document d
      ${wanted ? sql`join issue i on i.workspace_id = d.workspace_id and i.id = d.id and i.deleted_at is null and ${wanted}` : sql``}
      where ${candidates(pool, query, 'd')} ${of === undefined ? sql`` : sql`and d.id <> ${of}`}
      order by ${distance(query, 'd')} limit ${MOST_CANDIDATES}
    ), asking as materialized (
      select title, created_at from issue where workspace_id = ${workspaceId} and id = ${of ?? null}
    ), asking_label as materialized (
      select l.label_id, 1 - ln(greatest(n.uses, 1)) / ln(greatest(p.documents, 2)) as rarity
      from issue_label l
      join search_pool p on p.workspace_id = l.workspace_id and p.pool = 'issues'
      cross join lateral (select count(*) as uses from (select 1 from issue_label u where u.workspace_id = l.workspace_id and u.label_id = l.label_id limit ${MOST_LABEL_USES}) used) n
      where l.workspace_id = ${workspaceId} and l.issue_id = ${asking ? of : null}
    ), own as materialized (
      select found.id, found.words ${asking ? priorsOf(collapse) : title === undefined ? sql`` : sql`* (1 + similarity(i.title, ${title}))`} as score
      from found join issue i on i.workspace_id = ${workspaceId} and i.id = found.id and i.deleted_at is null
      ${asking ? sql`cross join asking` : sql``}
    ), total as (${of !== undefined && collapse ? collapsed(workspaceId, of) : sql`select id, score from own`})
    select i.id, total.score from total join issue i on i.workspace_id = ${workspaceId} and i.id = total.id and i.deleted_at is null
    where true ${wanted ? sql`and ${wanted}` : sql``}
    order by total.score desc, i.id limit ${limit}`.execute(db)
  return rows
}

/** A label that is on more issues than this says nothing. */
const MOST_LABEL_USES = 20_000

/** What makes it likelier that two issues are about the same, beside their words. Tuned with `bench/search.ts`. */
const priorsOf = (collapse: boolean): RawBuilder<number> => sql`
  * coalesce((select 1.2 + ${collapse ? 0.8 : 1.2} * max(a.rarity) from asking_label a
      join issue_label l on l.workspace_id = i.workspace_id and l.issue_id = i.id and l.label_id = a.label_id), 1)
  * (1 + 1.3 / (1 + abs(extract(epoch from i.created_at - asking.created_at)) / 86400 / ${collapse ? 70 : 150}))
  * (1 + similarity(i.title, asking.title))
  * (1 + 0.04 * (select count(*) from (select 1 from comment c where c.workspace_id = i.workspace_id and c.issue_id = i.id and c.deleted_at is null limit 5) few))`

/** An issue is found through its known duplicates, too, which themselves step back behind it. What the asking issue duplicates is not used. */
const collapsed = (workspaceId: Id, of: Id): RawBuilder<unknown> => sql`
  select coalesce(own.id, through.id) as id,
    greatest(coalesce(own.score, 0) * case when exists (select 1 from issue_relation r where r.workspace_id = ${workspaceId} and r.issue_id = own.id and r.type = 'DUPLICATE_OF' and r.deleted_at is null) then 0.9 else 1 end,
      1.1 * coalesce(through.score, 0)) + case when through.id is null then 0 else 0.4 * coalesce(own.score, 0) end as score
  from own full join (
    select r.related_issue_id as id, max(own.score) as score from own
    join issue_relation r on r.workspace_id = ${workspaceId} and r.issue_id = own.id and r.type = 'DUPLICATE_OF' and r.deleted_at is null and r.related_issue_id <> ${of}
    group by 1
  ) through on through.id = own.id`

function conditions (categories: StateCategory[], phrases: string[]): RawBuilder<boolean> | undefined {
  const all: Array<RawBuilder<boolean>> = phrases.map(phrase => {
    const occurs = (column: string) => sql<boolean>`strpos(lower(${sql.ref(column)}), lower(${phrase})) > 0`
    return sql`(${occurs('i.title')} or ${occurs('i.description_markdown')} or exists (
      select 1 from comment c where c.workspace_id = i.workspace_id and c.issue_id = i.id and c.deleted_at is null and ${occurs('c.body_markdown')}))`
  })
  if (categories.length > 0) all.push(sql`exists (select 1 from workflow_state s where s.workspace_id = i.workspace_id and s.id = i.state_id and s.category = any(${categories}::text[]))`)
  return all.length === 0 ? undefined : sql.join(all, sql` and `)
}

type Row = Omit<SearchHit, 'score' | 'matchedIn' | 'commentId' | 'distance'> & { titleTerms: number[] | null, descriptionTerms: number[] | null, terms: number[] | null }

/** The hits in full, in the order of their ranks. */
export async function completeHits (db: Db, workspaceId: Id, ranked: Ranked[], query: Query, categories: StateCategory[]): Promise<SearchHit[]> {
  if (ranked.length === 0) return []
  const { rows } = await sql<Row>`
    select i.id, t.identifier || '-' || i.number as key, i.title, i.description_markdown, i.state_id, s.category as state_category, i.team_id, i.number, i.workspace_id,
      i.assignee_id, i.priority, array(select l.label_id from issue_label l where l.workspace_id = i.workspace_id and l.issue_id = i.id order by l.label_id) as label_ids,
      ${iso('i.updated_at')} as updated_at, case when s.category = 'COMPLETED' then r.snippet end as resolution_snippet,
      d.title_terms, d.description_terms, d.terms
    from issue i
    join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
    join workflow_state s on s.workspace_id = i.workspace_id and s.id = i.state_id
    left join issue_resolution r on r.workspace_id = i.workspace_id and r.issue_id = i.id
    left join search_document d on d.workspace_id = i.workspace_id and d.pool = 'issues' and d.id = i.id
    where i.workspace_id = ${workspaceId} and i.id = any(${ranked.map(r => r.id)}::uuid[]) and i.deleted_at is null`.execute(db)
  const byId = new Map(rows.map(row => [row.id, row]))
  const hits = ranked.flatMap(({ id, score }): SearchHit[] => {
    const row = byId.get(id)
    if (!row || (categories.length > 0 && !categories.includes(row.stateCategory))) return []
    const { titleTerms, descriptionTerms, terms, ...shown } = row
    return [{ ...shown, score, distance: null, matchedIn: matchedIn(query, row), commentId: null }]
  })
  await nameComments(db, workspaceId, hits.filter(hit => hit.matchedIn === 'comment'), query)
  return hits
}

/** The field that holds the most of what was asked for. */
function matchedIn ({ weights }: Query, { titleTerms, descriptionTerms, terms }: Row): SearchHit['matchedIn'] {
  const sum = (of: Iterable<number>) => { let total = 0; for (const term of of) total += weights.get(term) ?? 0; return total }
  const title = new Set(titleTerms)
  const description = new Set(descriptionTerms)
  const [inTitle, inDescription] = [sum(title), sum(description)]
  const inCommentsOnly = sum((terms ?? []).filter(term => !title.has(term) && !description.has(term)))
  if (inCommentsOnly > Math.max(inTitle, inDescription)) return 'comment'
  return inDescription > inTitle ? 'description' : 'title'
}

/** Of each hit, the comment that holds the most of what was asked for. */
async function nameComments (db: Db, workspaceId: Id, hits: SearchHit[], { weights }: Query): Promise<void> {
  if (hits.length === 0) return
  const comments = await db.selectFrom('comment').select(['id', 'issueId', 'bodyMarkdown']).where('workspaceId', '=', workspaceId)
    .where('issueId', 'in', hits.map(hit => hit.id)).where('deletedAt', 'is', null).orderBy('createdAt').orderBy('id').execute()
  const salt = `${workspaceId}/issues`
  for (const hit of hits) {
    let best = 0
    for (const comment of comments.filter(c => c.issueId === hit.id)) {
      const terms = new Set(tokenize(comment.bodyMarkdown).map(token => termOf(salt, token.text)))
      const score = [...terms].reduce((total, term) => total + (weights.get(term) ?? 0), 0)
      if (score > best) [best, hit.commentId] = [score, comment.id]
    }
  }
}
