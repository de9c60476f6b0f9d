import { sql, type Expression, type QueryCreator, type RawBuilder } from 'kysely'
import { existing } from '../../../core/db/existing.ts'
import type { Id } from '../../../core/db/tables.ts'
import { notFound } from '../../../core/errors.ts'
import type { Near } from '../../embeddings/contract.ts'
import type { ReferenceField } from '../../issues/contract.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db, Tables } from '../context.ts'
import {
  bestCandidates,
  firstSufficient,
  MAX_QUERY_LENGTH,
  scoreCandidates,
  type Pool,
  type Query
} from '../word-index/index.ts'
import { issueFacets, issuePool } from './indexing.ts'
import { holdersOfPhrases, MAX_PHRASE_CANDIDATES } from './phrases.ts'

/** Issues that are compared in more detail than by their words. */
const MAX_CANDIDATES = 200

export interface Ranked {
  id: Id
  score: number
}

/** What is near to a text in meaning. */
export interface Meaning {
  near: readonly Near[]
  /** The distance that all others count as having: they are as far away at least. */
  beyond: number
  share: number
}

export interface Ranking {
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

/** What an issue is compared by. @throws 404 */
export async function askingIssue(db: Db, workspaceId: Id, id: Id, references: readonly ReferenceField[]) {
  const issue = await db
    .selectFrom('issue as i')
    .select([
      'i.title',
      sql<string>`left(i.description_markdown, ${MAX_QUERY_LENGTH})`.as('description'),
      'i.createdAt',
      issueFacets(workspaceId, references).as('facets')
    ])
    .where('i.workspaceId', '=', workspaceId)
    .where('i.id', '=', id)
    .executeTakeFirst()
  if (!issue) throw notFound('issue', id)
  return issue
}

/**
 * Rows of `id` and `score`: what was found by words (rows of the same kind) and what is near in meaning. By words, the
 * score is a share of the best one; a fusion by ranks alone was measured to be worse than words alone.
 */
function fused(found: Expression<unknown>, meaning: Meaning | undefined): RawBuilder<Ranked> {
  if (!meaning) return sql<Ranked>`${found}`
  const { near, beyond, share } = meaning
  // Raw, because Kysely has no columns for the rows of `unnest` in a full join.
  return sql<Ranked>`(
    select coalesce(w.id, n.id) as id,
      coalesce(w.score / max(w.score) over (), 0)
        + ${share}::float8 * greatest(1 - coalesce(n.distance, ${beyond}::float8), 0) as score
    from ${found} w
    full join unnest(${near.map(hit => hit.id)}::uuid[], ${near.map(hit => hit.distance)}::float8[])
      as n (id, distance) on n.id = w.id)`
}

/** The best texts of a pool for a query, best first, by words and by meaning. */
export const rankTexts = (
  db: Db,
  pool: Pool,
  query: Query,
  limit: number,
  meaning: Meaning | undefined
): Promise<Ranked[]> =>
  firstSufficient(limit, query.plans, plan =>
    db
      .selectFrom(fused(bestCandidates(db, pool, query, plan, limit), meaning).as('f'))
      .select(['f.id', 'f.score'])
      .orderBy('f.score', 'desc')
      .orderBy('f.id')
      .limit(limit)
      .execute()
  )

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
  ranking: Ranking,
  maxCandidates: number
): Promise<Ranked[]> {
  if (query.weights.size === 0 && !ranking.meaning) return []
  const { limit } = ranking
  return await firstSufficient(limit, query.plans, plan =>
    scored(db, workspaceId, query, ranking, scoreCandidates(issuePool(workspaceId), query, plan), maxCandidates)
      .selectFrom('total')
      .select(['id', 'score'])
      .orderBy('score', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute()
  )
}

/** With `total`: rows of `id` and `score` of the candidates of a plan that are issues of the wanted categories. */
function scored(
  db: Db,
  workspaceId: Id,
  query: Query,
  { title, of, categories, meaning }: Ranking,
  candidates: ReturnType<typeof scoreCandidates>,
  maxCandidates: number
) {
  const wanted = isIn(categories)
  const priors = of?.priors ? sql`* ${commonFacets(query.facetRarity)} * ${closenessInTime(of.createdAt)}` : sql``
  return db
    .with(
      cte => cte('worded').materialized(),
      cte =>
        cte
          .selectFrom(
            cte
              .selectFrom(candidates.as('candidate'))
              .select(['candidate.id', 'candidate.distance'])
              .orderBy('candidate.distance')
              .as('s')
          )
          .innerJoin('issue as i', join => join.on(existing(workspaceId, 'i')).onRef('i.id', '=', 's.id'))
          .innerJoin('workflowState as state', join =>
            join.on('state.workspaceId', '=', workspaceId).onRef('state.id', '=', 'i.stateId')
          )
          .select(['i.id', sql<number>`-s.distance`.as('score')])
          .where(wanted)
          .$if(of !== undefined, found => found.where('i.id', '<>', of!.id))
          .orderBy('s.distance')
          .limit(maxCandidates)
    )
    .with(
      cte => cte('own').materialized(),
      cte =>
        cte
          .selectFrom(fused(cte.selectFrom('worded').selectAll(), meaning).as('f'))
          .innerJoin('issue as i', join => join.on(existing(workspaceId, 'i')).onRef('i.id', '=', 'f.id'))
          .innerJoin('workflowState as state', join =>
            join.on('state.workspaceId', '=', workspaceId).onRef('state.id', '=', 'i.stateId')
          )
          .leftJoin('searchDocument as d', join =>
            join.on('d.workspaceId', '=', workspaceId).on('d.pool', '=', 'issues').onRef('d.id', '=', 'i.id')
          )
          .select([
            'i.id',
            sql<number>`
              f.score * (1 + similarity(i.title, ${title}))
              * case state.category when 'CANCELED' then 0.9 else 1 end ${priors}`.as('score')
          ])
          .where(wanted)
    )
    .with('total', cte =>
      of?.collapse ? collapsed(cte, workspaceId, of.id, wanted) : cte.selectFrom('own').select(['own.id', 'own.score'])
    )
}

/*
 * What makes it likelier that two issues are about the same, beside their words: what they have in common, the rarer
 * the more, and closeness in time. Tuned with `bench/search.ts`.
 */
const commonFacets = (facets: ReadonlyMap<number, number>) => sql<number>`
  least(3, coalesce((
    select exp(sum(ln(1.2 + 0.8 * asked.rarity)))
    from unnest(${[...facets.keys()]}::integer[], ${[...facets.values()]}::float8[]) as asked (facet, rarity)
    where asked.facet = any(d.facets)), 1))`
const closenessInTime = (createdAt: Date) => sql<number>`
  (1 + 1.3 / (1 + abs(extract(epoch from i.created_at - ${createdAt}::timestamptz)) / 86400 / 150))`

/**
 * An issue is also found through its known duplicates, which rank after it. The issue that the asking one duplicates
 * is not used.
 */
const collapsed = (
  creator: QueryCreator<Tables & { own: Ranked }>,
  workspaceId: Id,
  of: Id,
  wanted: Expression<boolean>
) =>
  creator
    .selectFrom('own')
    .fullJoin(
      original =>
        original
          .selectFrom('own')
          .innerJoin('issueRelation as r', join =>
            join
              .on('r.workspaceId', '=', workspaceId)
              .onRef('r.issueId', '=', 'own.id')
              .on('r.type', '=', 'DUPLICATE_OF')
              .on('r.deletedAt', 'is', null)
              .on('r.relatedIssueId', '<>', of)
          )
          .innerJoin('issue as i', join => join.on(existing(workspaceId, 'i')).onRef('i.id', '=', 'r.relatedIssueId'))
          .innerJoin('workflowState as state', join =>
            join.on('state.workspaceId', '=', workspaceId).onRef('state.id', '=', 'i.stateId')
          )
          .select(['r.relatedIssueId as id', eb => eb.fn.max('own.score').as('score')])
          .where(wanted)
          .groupBy('r.relatedIssueId')
          .as('through'),
      join => join.onRef('through.id', '=', 'own.id')
    )
    .select(({ exists, selectFrom, lit }) => {
      const isDuplicate = exists(
        selectFrom('issueRelation as r')
          .select(lit(1).as('one'))
          .where(existing(workspaceId, 'r'))
          .whereRef('r.issueId', '=', 'own.id')
          .where('r.type', '=', 'DUPLICATE_OF')
      )
      return [
        sql<Id>`coalesce(own.id, through.id)`.as('id'),
        sql<number>`
          greatest(coalesce(own.score, 0) * case when ${isDuplicate} then 0.9 else 1 end,
            1.1 * coalesce(through.score, 0))
          + case when through.id is null then 0 else 0.4 * coalesce(own.score, 0) end`.as('score')
      ]
    })

/** Over the row `state`, the state of an issue. */
const isIn = (categories: StateCategory[]): RawBuilder<boolean> =>
  categories.length === 0 ? sql`true` : sql`state.category = any(${categories}::text[])`
