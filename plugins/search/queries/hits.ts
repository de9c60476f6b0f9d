import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { groupsOf, iso, type ItemsText, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { textTokens } from '../../../lib/words/tokens.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { Db } from '../context.ts'
import type { SearchHit } from '../schemas.ts'
import { termIdsOf, type Query } from '../word-index/index.ts'
import type { Scored } from './fusion.ts'
import { issuePool } from './indexing.ts'

/** Characters of a comment, and bytes of all comments, that are compared with a query: the newest. */
const MAX_COMPARED_LENGTH = 10_000
const MAX_COMPARED_BYTES = 1024 * 1024

/** A hit without its description, which may be long; `withDescriptions` adds it. */
export type FoundIssue = Omit<SearchHit, 'descriptionMarkdown'> & { descriptionBytes: number }
type Row = Omit<FoundIssue, 'score' | 'matchedIn' | 'commentId' | 'distance'> & {
  descriptionTerms: number[] | null
  terms: number[] | null
}

const readRows = (db: Db, workspaceId: Id, ids: readonly Id[]): Promise<Row[]> =>
  db
    .selectFrom('issue as i')
    .innerJoin('team as t', join => join.on('t.workspaceId', '=', workspaceId).onRef('t.id', '=', 'i.teamId'))
    .innerJoin('workflowState as s', join => join.on('s.workspaceId', '=', workspaceId).onRef('s.id', '=', 'i.stateId'))
    .leftJoin('issueResolution as r', join =>
      join.on('r.workspaceId', '=', workspaceId).onRef('r.issueId', '=', 'i.id')
    )
    .leftJoin('searchDocument as d', join =>
      join.on('d.workspaceId', '=', workspaceId).on('d.pool', '=', 'issues').onRef('d.id', '=', 'i.id')
    )
    .select(({ selectFrom }) => [
      'i.id',
      sql<string>`t.identifier || '-' || i.number`.as('key'),
      'i.title',
      sql<number>`octet_length(i.description_markdown)`.as('descriptionBytes'),
      'i.stateId',
      's.category as stateCategory',
      'i.teamId',
      'i.number',
      'i.workspaceId',
      'i.assigneeId',
      'i.priority',
      sql<Id[]>`array${selectFrom('issueLabel as l')
        .select('l.labelId')
        .where('l.workspaceId', '=', workspaceId)
        .whereRef('l.issueId', '=', 'i.id')
        .orderBy('l.labelId')}`.as('labelIds'),
      iso('i.updated_at').as('updatedAt'),
      sql<string | null>`case when s.category = 'COMPLETED' then r.snippet end`.as('resolutionSnippet'),
      'd.descriptionTerms',
      'd.terms'
    ])
    .where(notDeletedIn(workspaceId, 'i'))
    .where(sql<boolean>`i.id = any(${ids}::uuid[])`)
    .execute()

export async function completeHits(
  db: Db,
  workspaceId: Id,
  ranked: ReadonlyArray<Scored & { distance?: number | null }>,
  query: Query,
  categories: StateCategory[]
): Promise<FoundIssue[]> {
  if (ranked.length === 0) return []
  const rows = await readRows(
    db,
    workspaceId,
    ranked.map(({ id }) => id)
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  const termId = termIdsOf(issuePool(workspaceId))
  const hits = ranked.flatMap(({ id, score, distance = null }): FoundIssue[] => {
    const row = byId.get(id)
    if (!row || (categories.length > 0 && !categories.includes(row.stateCategory))) return []
    const { descriptionTerms, terms, ...shown } = row
    const titleTerms = textTokens(row.title).map(token => termId(token.text))
    const field = matchedIn(query, new Set(titleTerms), new Set(descriptionTerms), terms ?? [])
    return [{ ...shown, score, distance, matchedIn: field, commentId: null }]
  })
  await nameComments(
    db,
    workspaceId,
    hits.filter(hit => hit.matchedIn === 'comment'),
    query
  )
  return hits
}

/** The field that contains most of the query. */
function matchedIn(
  { weights }: Query,
  title: ReadonlySet<number>,
  description: ReadonlySet<number>,
  terms: readonly number[]
): SearchHit['matchedIn'] {
  const sum = (of: Iterable<number>) => {
    let total = 0
    for (const term of of) total += weights.get(term) ?? 0
    return total
  }
  const [inTitle, inDescription] = [sum(title), sum(description)]
  const inCommentsOnly = sum(terms.filter(term => !title.has(term) && !description.has(term)))
  if (inCommentsOnly > Math.max(inTitle, inDescription)) return 'comment'
  return inDescription > inTitle ? 'description' : 'title'
}

/** Adds to each hit the comment that contains most of the query. */
async function nameComments(db: Db, workspaceId: Id, hits: FoundIssue[], { weights }: Query): Promise<void> {
  if (hits.length === 0) return
  const sized = db
    .selectFrom('comment as c')
    .select([
      'c.id',
      'c.issueId',
      'c.createdAt',
      'c.bodyMarkdown',
      sql<number>`
        sum(least(octet_length(c.body_markdown), ${MAX_COMPARED_LENGTH}::int))
          over (partition by c.issue_id order by c.created_at desc, c.id desc)`.as('total')
    ])
    .where(notDeletedIn(workspaceId, 'c'))
    .where(sql<boolean>`c.issue_id = any(${hits.map(hit => hit.id)}::uuid[])`)
  const rows = await db
    .selectFrom(sized.as('sized'))
    .select(['sized.id', 'sized.issueId', sql<string>`left(sized.body_markdown, ${MAX_COMPARED_LENGTH})`.as('text')])
    .where('sized.total', '<=', Math.max(Math.round(MAX_COMPARED_BYTES / hits.length), MAX_COMPARED_LENGTH))
    .orderBy('sized.createdAt')
    .orderBy('sized.id')
    .execute()
  const comments = Map.groupBy(rows, row => row.issueId)
  const termId = termIdsOf(issuePool(workspaceId))
  for (const hit of hits) {
    let best = 0
    for (const { id, text } of comments.get(hit.id) ?? []) {
      const terms = new Set(textTokens(text).map(token => termId(token.text)))
      const score = [...terms].reduce((total, term) => total + (weights.get(term) ?? 0), 0)
      if (score > best) [best, hit.commentId] = [score, id]
    }
    await setImmediate()
  }
}

export async function* withDescriptions(
  db: Db,
  workspaceId: Id,
  hits: readonly FoundIssue[]
): AsyncGenerator<ItemsText> {
  const byId = new Map(hits.map(hit => [hit.id, hit]))
  for (const ids of groupsOf(hits.map(({ id, descriptionBytes }) => [id, descriptionBytes]))) {
    const rows = await db
      .selectFrom('issue')
      .select(['id', 'descriptionMarkdown'])
      .where('workspaceId', '=', workspaceId)
      .where('id', 'in', ids)
      .execute()
    const descriptions = new Map(rows.map(row => [row.id, row.descriptionMarkdown]))
    const text = ids
      .flatMap(id => {
        const { descriptionBytes: _, ...hit } = byId.get(id)!
        const descriptionMarkdown = descriptions.get(id)
        return descriptionMarkdown === undefined ? [] : [JSON.stringify({ ...hit, descriptionMarkdown })]
      })
      .join(',')
    yield { text, isContinuation: false }
  }
}
