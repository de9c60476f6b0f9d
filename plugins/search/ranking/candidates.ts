import { sql, type Expression, type ExpressionBuilder, type RawBuilder } from 'kysely'
import { notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db, Tables } from '../context.ts'
import { issuePool } from '../queries/indexing.ts'
import type { Timeline } from '../queries/timeline.ts'
import { facetIdsOf, scoreCandidates, scoreNamed, type CandidatePlan, type Query } from '../word-index/index.ts'
import { MAX_COUNTED_COMMENTS, similarity, trigramsOf } from './features.ts'
import type { Candidate } from './model.ts'

export interface Selection {
  plan: CandidatePlan
  limit: number
  /** Compared with the titles of the candidates. */
  title: string
  except: Id | undefined
  categories: readonly StateCategory[]
  near: readonly Id[]
  /** True if issues are candidates of which only a known duplicate matches. */
  throughDuplicates: boolean
}

/** By words and by meaning, with the data of their features. */
export async function readCandidates(
  db: Db,
  workspaceId: Id,
  query: Query,
  selection: Selection,
  timeline: Timeline
): Promise<Candidate[]> {
  const rows = await readRows(db, workspaceId, query, selection)
  const facetId = facetIdsOf(issuePool(workspaceId))
  const titleTrigrams = trigramsOf(selection.title)
  return rows.map(row => ({
    id: row.id,
    distance: null,
    text:
      row.match === null
        ? undefined
        : {
            match: row.match,
            closeness: 0,
            titleSimilarity: similarity(titleTrigrams, trigramsOf(row.title)),
            titleTerms: row.titleTerms ?? [],
            heldTerms: row.heldTerms,
            descriptionBytes: row.descriptionBytes,
            // The state is a facet only for filtering.
            facets: (row.facets ?? []).filter(facet => facet !== facetId(row.stateId)),
            createdAt: row.createdAt,
            position: timeline.positionAt(row.createdAt)
          },
    fate: { category: row.category, comments: row.comments },
    knownDuplicates: row.knownDuplicates,
    duplicateOf: row.duplicateOf
  }))
}

type Considered = ExpressionBuilder<Tables & { considered: { id: Id } }, 'considered'>

// Each candidate is read by its key (offset 0): without statistics, a join compares all candidates with all issues.
const issueOf = ({ selectFrom }: Considered, workspaceId: Id) =>
  selectFrom('issue')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .whereRef('id', '=', 'considered.id')
    .offset(0)
    .as('i')
const documentOf = ({ selectFrom }: Considered, workspaceId: Id) =>
  selectFrom('searchDocument')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('pool', '=', 'issues')
    .whereRef('id', '=', 'considered.id')
    .offset(0)
    .as('d')

function readRows(db: Db, workspaceId: Id, query: Query, selection: Selection) {
  const { except = null, categories } = selection
  const terms = [...new Set([...query.titleTerms, ...query.rareTerms])]
  return withFound(db, workspaceId, query, selection)
    .selectFrom('considered')
    .innerJoinLateral(
      eb => issueOf(eb, workspaceId),
      join => join.on('i.deletedAt', 'is', null)
    )
    .innerJoin('workflowState as state', join =>
      join.on('state.workspaceId', '=', workspaceId).onRef('state.id', '=', 'i.stateId')
    )
    .leftJoinLateral(
      eb => documentOf(eb, workspaceId),
      join => join.onTrue()
    )
    .select(({ selectFrom }) => [
      'i.id',
      'i.title',
      'considered.match',
      'i.createdAt',
      'i.stateId',
      'state.category',
      'd.facets',
      'd.titleTerms',
      sql<number>`octet_length(i.description_markdown)`.as('descriptionBytes'),
      sql<number[]>`array(
        select asked.term from unnest(${terms}::integer[]) as asked (term)
        where asked.term = any(d.terms))`.as('heldTerms'),
      sql<number>`(select count(*) from ${selectFrom('comment as c')
        .select(sql.lit(1).as('one'))
        .where(notDeletedIn(workspaceId, 'c'))
        .whereRef('c.issueId', '=', 'i.id')
        .limit(MAX_COUNTED_COMMENTS)
        .as('counted')})::integer`.as('comments'),
      sql<number>`(${selectFrom('issueRelation as r')
        .select(eb => eb.fn.countAll<number>().as('total'))
        .where(notDeletedIn(workspaceId, 'r'))
        .whereRef('r.relatedIssueId', '=', 'i.id')
        .where('r.type', '=', 'DUPLICATE_OF')
        .where(sql<boolean>`r.issue_id is distinct from ${except}::uuid`)})::integer`.as('knownDuplicates'),
      sql<Id[]>`array(${selectFrom('issueRelation as r')
        .select('r.relatedIssueId')
        .where(notDeletedIn(workspaceId, 'r'))
        .whereRef('r.issueId', '=', 'i.id')
        .where('r.type', '=', 'DUPLICATE_OF')})`.as('duplicateOf')
    ])
    .where(isIn(categories))
    .execute()
}

/** Adds `considered`: rows of `id` and `match`, which is null for issues of which only a known duplicate matches. */
function withFound(
  db: Db,
  workspaceId: Id,
  query: Query,
  { plan, limit, except, categories, near, throughDuplicates }: Selection
) {
  return db
    .with(
      cte => cte('worded').materialized(),
      cte =>
        cte
          .selectFrom(scoreCandidates(issuePool(workspaceId), query, plan).orderBy('distance').as('s'))
          .innerJoin('issue as i', join => join.on(notDeletedIn(workspaceId, 'i')).onRef('i.id', '=', 's.id'))
          .innerJoin('workflowState as state', join =>
            join.on('state.workspaceId', '=', workspaceId).onRef('state.id', '=', 'i.stateId')
          )
          .select(['i.id', sql<number>`-s.distance`.as('score')])
          .where(isIn(categories))
          .$if(except !== undefined, query => query.where('i.id', '<>', except!))
          .orderBy('s.distance')
          .limit(limit)
    )
    .with(
      cte => cte('found').materialized(),
      cte =>
        cte
          .selectFrom('worded')
          .select(['worded.id', 'worded.score as match'])
          .$if(near.length > 0, matches =>
            matches.union(
              cte
                .selectFrom(scoreNamed(issuePool(workspaceId), query, near).as('n'))
                .select(['n.id', 'n.score as match'])
                .where('n.id', 'not in', cte.selectFrom('worded').select('worded.id'))
                .$if(except !== undefined, named => named.where('n.id', '<>', except!))
            )
          )
    )
    .with(
      cte => cte('considered').materialized(),
      cte =>
        cte
          .selectFrom('found')
          .select(['found.id', sql<number | null>`found.match`.as('match')])
          .$if(throughDuplicates, matches =>
            matches.unionAll(eb =>
              eb
                .selectFrom('issueRelation as r')
                .select(['r.relatedIssueId as id', sql<number | null>`null::float8`.as('match')])
                .distinct()
                .where(notDeletedIn(workspaceId, 'r'))
                .where('r.type', '=', 'DUPLICATE_OF')
                .where('r.issueId', 'in', eb.selectFrom('found').select('found.id'))
                .where('r.relatedIssueId', 'not in', eb.selectFrom('found').select('found.id'))
                .$if(except !== undefined, original => original.where('r.relatedIssueId', '<>', except!))
            )
          )
    )
}

const isIn = (categories: readonly StateCategory[]): Expression<boolean> & RawBuilder<boolean> =>
  categories.length === 0 ? sql`true` : sql`state.category = any(${categories}::text[])`
