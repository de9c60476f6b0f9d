import { sql, type Expression, type RawBuilder } from 'kysely'
import { existing, type WorkspaceId } from '../../../core/db/existing.ts'
import { statement } from '../../../core/db/statement.ts'
import type { Id } from '../../../core/db/tables.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db, Tables } from '../context.ts'
import { fused, type Meaning } from '../queries/fusion.ts'
import { issuePool } from '../queries/indexing.ts'
import {
  facetIdsOf,
  pairedPlan,
  scoreCandidates,
  scorePaired,
  type CandidatePlan,
  type PairedPlan,
  type Query
} from '../word-index/index.ts'
import { MAX_COUNTED_COMMENTS } from './features.ts'
import type { Candidate } from './model.ts'
import type { Timeline } from './timeline.ts'

/** Which candidates are read. */
export interface Selection {
  plan: CandidatePlan
  /** Those that match best. */
  limit: number
  /** Compared with the titles of the candidates. */
  title: string
  /** An issue that is no candidate, as it asks. */
  except: Id | undefined
  /** Empty: all. */
  categories: readonly StateCategory[]
  meaning: Meaning | undefined
  /** Whether issues are candidates that only known duplicates of them lead to. */
  throughDuplicates: boolean
}

/**
 * The candidates that match a query best by words and by meaning, with what their features are made of, and the issues
 * that they are known to duplicate.
 */
export async function readCandidates(
  db: Db,
  workspaceId: Id,
  query: Query,
  selection: Selection,
  timeline: Timeline
): Promise<Candidate[]> {
  const rows = await readRows(db, workspaceId, query, selection)
  const facetId = facetIdsOf(issuePool(workspaceId))
  return rows.map(
    ({ id, match, category, comments, knownDuplicates, duplicateOf, facets, titleTerms, stateId, ...text }) => ({
      id,
      text:
        match === null
          ? undefined
          : {
              ...text,
              match,
              titleTerms: titleTerms ?? [],
              // A state is a facet only so that one can search in it.
              facets: (facets ?? []).filter(facet => facet !== facetId(stateId)),
              position: timeline.positionAt(text.createdAt)
            },
      fate: { category, comments },
      knownDuplicates,
      duplicateOf
    })
  )
}

/** What stands in a statement: values, or the parameters for them of one that is compiled once. */
interface Asked {
  workspaceId: WorkspaceId
  scored: ReturnType<typeof scoreCandidates>
  limit: number | RawBuilder<number>
  title: string | RawBuilder<string>
  except: Id | null | RawBuilder<Id | null>
  /** The terms that a candidate is asked for. */
  terms: readonly number[] | RawBuilder<number[]>
}
/** What decides how a statement reads. */
type Shape = Pick<Selection, 'categories' | 'meaning' | 'throughDuplicates'>

function readRows(db: Db, workspaceId: Id, query: Query, selection: Selection): Promise<Row[]> {
  const { plan, limit, title, except = null, categories, meaning, throughDuplicates } = selection
  const terms = [...new Set([...query.titleTerms, ...query.rareTerms])]
  const paired = pairedPlan(query, plan)
  if (paired && categories.length === 0 && !meaning && throughDuplicates) {
    return pairedCandidates(db, { ...paired, workspaceId, limit, title, except, terms })
  }
  const scored = scoreCandidates(issuePool(workspaceId), query, plan)
  return candidates(db, { workspaceId, scored, limit, title, except, terms }, selection).execute()
}

type Row = Awaited<ReturnType<ReturnType<typeof candidates>['execute']>>[number]
type PairedAsked = PairedPlan & { workspaceId: Id; limit: number; title: string; except: Id | null; terms: number[] }

/** What most issues ask, compiled once. */
const pairedCandidates = statement<PairedAsked, Row, Tables>(import.meta, 'pairedCandidates', (asked, db) => {
  const { workspaceId, vector, postings, limit, title, except, terms } = asked
  const scored = scorePaired({ workspaceId, name: 'issues' }, asked, vector, postings)
  const shape = { categories: [], meaning: undefined, throughDuplicates: true }
  return candidates(db, { workspaceId, scored, limit, title, except, terms }, shape)
})

function candidates(db: Db, asked: Asked, shape: Shape) {
  const { workspaceId, title, except, terms } = asked
  return withFound(db, asked, shape)
    .selectFrom('considered')
    .innerJoin('issue as i', join => join.on(existing(workspaceId, 'i')).onRef('i.id', '=', 'considered.id'))
    .innerJoin('workflowState as state', join =>
      join.on('state.workspaceId', '=', workspaceId).onRef('state.id', '=', 'i.stateId')
    )
    .leftJoin('searchDocument as d', join =>
      join.on('d.workspaceId', '=', workspaceId).on('d.pool', '=', 'issues').onRef('d.id', '=', 'i.id')
    )
    .select(({ selectFrom }) => [
      'i.id',
      'considered.match',
      'i.createdAt',
      'i.stateId',
      'state.category',
      'd.facets',
      'd.titleTerms',
      sql<number>`octet_length(i.description_markdown)`.as('descriptionBytes'),
      sql<number>`similarity(i.title, ${title}::text)`.as('titleSimilarity'),
      sql<number[]>`array(
        select asked.term from unnest(${terms}::integer[]) as asked (term)
        where asked.term = any(d.terms))`.as('heldTerms'),
      sql<number>`(select count(*) from ${selectFrom('comment as c')
        .select(sql.lit(1).as('one'))
        .where(existing(workspaceId, 'c'))
        .whereRef('c.issueId', '=', 'i.id')
        .limit(MAX_COUNTED_COMMENTS)
        .as('counted')})::integer`.as('comments'),
      sql<number>`(${selectFrom('issueRelation as r')
        .select(eb => eb.fn.countAll<number>().as('total'))
        .where(existing(workspaceId, 'r'))
        .whereRef('r.relatedIssueId', '=', 'i.id')
        .where('r.type', '=', 'DUPLICATE_OF')
        .where(sql<boolean>`r.issue_id is distinct from ${except}::uuid`)})::integer`.as('knownDuplicates'),
      sql<Id[]>`array(${selectFrom('issueRelation as r')
        .select('r.relatedIssueId')
        .where(existing(workspaceId, 'r'))
        .whereRef('r.issueId', '=', 'i.id')
        .where('r.type', '=', 'DUPLICATE_OF')})`.as('duplicateOf')
    ])
    .where(isIn(shape.categories))
}

/** With `considered`: rows of `id` and `match`, which is null for what only its known duplicates lead to. */
function withFound(
  db: Db,
  { workspaceId, scored, limit, except }: Asked,
  { categories, meaning, throughDuplicates }: Shape
) {
  return db
    .with(
      cte => cte('worded').materialized(),
      cte =>
        cte
          .selectFrom(scored.orderBy('distance').as('s'))
          .innerJoin('issue as i', join => join.on(existing(workspaceId, 'i')).onRef('i.id', '=', 's.id'))
          .innerJoin('workflowState as state', join =>
            join.on('state.workspaceId', '=', workspaceId).onRef('state.id', '=', 'i.stateId')
          )
          .select(['i.id', sql<number>`-s.distance`.as('score')])
          .where(isIn(categories))
          .where(sql<boolean>`i.id is distinct from ${except}::uuid`)
          .orderBy('s.distance')
          .limit(limit)
    )
    .with(
      cte => cte('found').materialized(),
      cte =>
        cte
          .selectFrom(fused(cte.selectFrom('worded').selectAll(), meaning).as('f'))
          .select([
            'f.id',
            meaning
              ? sql<number>`f.score * coalesce((select max(score) from worded), 1)`.as('match')
              : 'f.score as match'
          ])
          .where(sql<boolean>`f.id is distinct from ${except}::uuid`)
    )
    .with(
      cte => cte('considered').materialized(),
      cte =>
        cte
          .selectFrom('found')
          .select(['found.id', sql<number | null>`found.match`.as('match')])
          .$if(throughDuplicates, found =>
            found.unionAll(eb =>
              eb
                .selectFrom('issueRelation as r')
                .select(['r.relatedIssueId as id', sql<number | null>`null::float8`.as('match')])
                .distinct()
                .where(existing(workspaceId, 'r'))
                .where('r.type', '=', 'DUPLICATE_OF')
                .where('r.issueId', 'in', eb.selectFrom('found').select('found.id'))
                .where('r.relatedIssueId', 'not in', eb.selectFrom('found').select('found.id'))
                .where(sql<boolean>`r.related_issue_id is distinct from ${except}::uuid`)
            )
          )
    )
}

/** Over the row `state`, the state of an issue. */
const isIn = (categories: readonly StateCategory[]): Expression<boolean> & RawBuilder<boolean> =>
  categories.length === 0 ? sql`true` : sql`state.category = any(${categories}::text[])`
