import { expressionBuilder, sql, type ExpressionBuilder, type RawBuilder } from 'kysely'
import { notDeletedIn, type SizedId } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { MAX_CHARACTERS } from '../../../lib/words/tokens.ts'
import type { ReferenceField } from '../../issues/contract.ts'
import type { Db, Tables, Trx } from '../context.ts'
import type { IndexedText } from '../contract.ts'
import type { Pool } from '../word-index/index.ts'

export const ISSUE_ID = sql.ref<Id>('i.id')

export const issuePool = (workspaceId: Id): Pool => ({ workspaceId, name: 'issues' })

/** Characters of the comment that explains an issue's resolution. */
const SNIPPET_LENGTH = 500
/** In UTF-8. */
const MAX_BYTES_PER_CHARACTER = 4

type IssueRow = Tables & { i: Tables['issue'] }

/** Facets of the row `i` of an issue: its labels and the records that it refers to, such as its project. */
export function issueFacets(workspaceId: Id, references: readonly ReferenceField[]): RawBuilder<string[]> {
  const labels = expressionBuilder<IssueRow, 'i'>()
    .selectFrom('issueLabel as l')
    .select(sql<string>`l.label_id::text`.as('labelId'))
    .where('l.workspaceId', '=', workspaceId)
    .whereRef('l.issueId', '=', 'i.id')
  const records = references.map(({ column }) => sql`${sql.ref(`i.${column}`)}::text`)
  return sql<string[]>`array${labels} || array_remove(array[${sql.join([sql`null`, ...records])}]::text[], null)`
}

export async function findSizes(db: Db, workspaceId: Id, ids: readonly Id[]): Promise<SizedId[]> {
  const indexed = (bytes: RawBuilder<unknown>) => sql<number>`least(${bytes}, ${MAX_CHARACTERS}::integer)::integer`
  const rows = await db
    .selectFrom('issue as i')
    .select(({ selectFrom }) => [
      'i.id',
      indexed(sql`octet_length(i.description_markdown)`).as('description'),
      selectFrom('comment as c')
        .select(indexed(sql`coalesce(sum(octet_length(c.body_markdown)), 0)`).as('bytes'))
        .where(notDeletedIn(workspaceId, 'c'))
        .whereRef('c.issueId', '=', 'i.id')
        .as('comments')
    ])
    .where('i.workspaceId', '=', workspaceId)
    .where(sql<boolean>`i.id = any(${ids}::uuid[])`)
    .execute()
  const sizes = new Map(rows.map(({ id, description, comments }) => [id, description + (comments ?? 0)]))
  return ids.map(id => [id, sizes.get(id) ?? 0])
}

export const findIssueTexts = (
  trx: Trx,
  workspaceId: Id,
  ids: readonly Id[],
  references: readonly ReferenceField[]
): Promise<Array<IndexedText & { facets: string[] }>> =>
  trx
    .selectFrom('issue as i')
    .select(eb => [
      'i.id',
      'i.title',
      sql<string>`left(i.description_markdown, ${MAX_CHARACTERS})`.as('description'),
      sql<string[]>`${issueFacets(workspaceId, references)} || i.state_id::text`.as('facets'),
      commentsText(eb, workspaceId, MAX_CHARACTERS).as('comments')
    ])
    .where(notDeletedIn(workspaceId, 'i'))
    .where(sql<boolean>`i.id = any(${ids}::uuid[])`)
    .execute()

/** The oldest first, up to the limit. */
export function commentsText(
  { selectFrom, fn }: ExpressionBuilder<IssueRow, 'i'>,
  workspaceId: Id,
  maxCharacters: number
) {
  const sized = selectFrom('comment as c')
    .select([
      'c.id',
      'c.createdAt',
      'c.bodyMarkdown',
      sql<number>`sum(octet_length(c.body_markdown)) over (order by c.created_at, c.id)
        - octet_length(c.body_markdown)`.as('before')
    ])
    .where(notDeletedIn(workspaceId, 'c'))
    .whereRef('c.issueId', '=', 'i.id')
  const text = sql<string>`
    string_agg(left(sized.body_markdown, ${maxCharacters}::integer), E'\\n' order by sized.created_at, sized.id)`
  const joined = selectFrom(sized.as('sized'))
    .select(sql<string>`left(${text}, ${maxCharacters}::integer)`.as('text'))
    .where('sized.before', '<=', MAX_BYTES_PER_CHARACTER * maxCharacters)
  return fn.coalesce(joined, sql<string>`''`)
}

/** The last top-level comment at or before the change into a COMPLETED state. */
export async function storeResolutions(trx: Trx, workspaceId: Id, ids: readonly Id[]): Promise<void> {
  await trx
    .deleteFrom('issueResolution')
    .where('workspaceId', '=', workspaceId)
    .where(sql<boolean>`issue_id = any(${ids}::uuid[])`)
    .execute()
  await trx
    .insertInto('issueResolution')
    .columns(['workspaceId', 'issueId', 'snippet'])
    .expression(eb =>
      eb
        .selectFrom('issue as i')
        .innerJoin('workflowState as s', join =>
          join.on('s.workspaceId', '=', workspaceId).onRef('s.id', '=', 'i.stateId').on('s.category', '=', 'COMPLETED')
        )
        .innerJoinLateral(
          lateral =>
            lateral
              .selectFrom('comment as c')
              .select('c.bodyMarkdown')
              .where(notDeletedIn(workspaceId, 'c'))
              .whereRef('c.issueId', '=', 'i.id')
              .where('c.parentId', 'is', null)
              .whereRef('c.createdAt', '<=', 'i.completedAt')
              .orderBy('c.createdAt', 'desc')
              .orderBy('c.id', 'desc')
              .limit(1)
              .as('last'),
          join => join.onTrue()
        )
        .select(({ val }) => [
          val(workspaceId).as('workspaceId'),
          'i.id',
          sql<string>`left(last.body_markdown, ${SNIPPET_LENGTH})`.as('snippet')
        ])
        .where(notDeletedIn(workspaceId, 'i'))
        .where(sql<boolean>`i.id = any(${ids}::uuid[])`)
    )
    .execute()
}

export const findReindexProgress = async (db: Db, workspaceId: Id): Promise<Id | undefined> =>
  (await db.selectFrom('searchReindex').select('afterId').where('workspaceId', '=', workspaceId).executeTakeFirst())
    ?.afterId

export const storeReindexProgress = (trx: Trx, workspaceId: Id, afterId: Id) =>
  trx
    .insertInto('searchReindex')
    .values({ workspaceId, afterId })
    .onConflict(conflict => conflict.column('workspaceId').doUpdateSet({ afterId }))
    .execute()

export const removeReindexProgress = (trx: Trx, workspaceId: Id) =>
  trx.deleteFrom('searchReindex').where('workspaceId', '=', workspaceId).execute()

export async function countIssuesAfter(db: Db, workspaceId: Id, after: Id): Promise<number> {
  const { total } = await db
    .selectFrom('issue')
    .select(eb => eb.fn.countAll<number>().as('total'))
    .where('workspaceId', '=', workspaceId)
    .where('id', '>', after)
    .executeTakeFirstOrThrow()
  return total
}

/** @param isIndexed over `i.id`; if given, only issues that are neither indexed nor deleted */
export async function findIssuesAfter(
  db: Db,
  workspaceId: Id,
  after: Id,
  limit: number,
  isIndexed?: RawBuilder<boolean>
): Promise<Id[]> {
  const rows = await db
    .selectFrom('issue as i')
    .select('i.id')
    .where('i.workspaceId', '=', workspaceId)
    .where('i.id', '>', after)
    .$if(isIndexed !== undefined, query => query.where('i.deletedAt', 'is', null).where(({ not }) => not(isIndexed!)))
    .orderBy('i.id')
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}
