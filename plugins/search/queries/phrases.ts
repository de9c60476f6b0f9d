import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { groupsOf, type SizedId } from '../../../core/db/bounded-rows.ts'
import { notDeletedIn } from '../../../core/db/workspace-rows.ts'
import type { Id } from '../../../core/db/tables.ts'
import type { Db } from '../context.ts'

/** Issues that are searched for quoted phrases, the best by their words; and bytes of their texts in all. */
export const MAX_PHRASE_CANDIDATES = 1_000
const MAX_SEARCHED_BYTES = 32 * 1024 * 1024
/** Bytes that one statement searches: on the embedded database all others wait for it. */
const MAX_STATEMENT_BYTES = 512 * 1024

/** A title with its description, or a comment: `id` is that of the row that has it. */
interface Text {
  id: Id
  issueId: Id
  bytes: number
}

/**
 * The issues in whose texts each of the phrases occurs, in any case: one in the title, another perhaps in a comment.
 * They are searched in statements of bounded bytes.
 * @param ids best first: if the texts exceed the limit, only those of the best are searched
 */
export async function holdersOfPhrases(
  db: Db,
  workspaceId: Id,
  ids: readonly Id[],
  phrases: readonly string[]
): Promise<Set<Id>> {
  const found = new Map<Id, Set<number>>()
  const texts = new Map((await textsOf(db, workspaceId, ids)).map(text => [text.id, text]))
  const sizes = [...texts.values()].map(({ id, bytes }): SizedId => [id, bytes])
  for (const group of groupsOf(sizes, MAX_STATEMENT_BYTES)) {
    for (const { id, n } of await occurrences(db, workspaceId, group, phrases)) {
      const { issueId } = texts.get(id)!
      found.set(issueId, (found.get(issueId) ?? new Set()).add(n))
    }
    await setImmediate()
  }
  return new Set([...found].flatMap(([id, { size }]) => (size === phrases.length ? [id] : [])))
}

/** Titles with descriptions, and comments, of issues, as long as there is room for them. */
async function textsOf(db: Db, workspaceId: Id, ids: readonly Id[]): Promise<Text[]> {
  const given = sql<{ id: Id; n: number }>`unnest(${ids}::uuid[]) with ordinality`
  return await db
    .with(
      cte => cte('candidate').materialized(),
      cte => cte.selectFrom(given.as<'given'>(sql`given (id, n)`)).select(['given.id', 'given.n'])
    )
    .with('text', cte =>
      cte
        .selectFrom('candidate')
        .innerJoin('issue as i', join => join.on('i.workspaceId', '=', workspaceId).onRef('i.id', '=', 'candidate.id'))
        .select([
          'candidate.n',
          'i.id',
          'i.id as issueId',
          sql<number>`octet_length(i.title) + octet_length(i.description_markdown)`.as('bytes')
        ])
        .unionAll(
          cte
            .selectFrom('candidate')
            .innerJoin('comment as c', join =>
              join.on(notDeletedIn(workspaceId, 'c')).onRef('c.issueId', '=', 'candidate.id')
            )
            .select(['candidate.n', 'c.id', 'c.issueId', sql<number>`octet_length(c.body_markdown)`.as('bytes')])
        )
    )
    .with('summed', cte =>
      cte
        .selectFrom('text')
        .selectAll()
        .select(sql<number>`sum(bytes) over (order by n, id rows unbounded preceding)`.as('total'))
    )
    .selectFrom('summed')
    .select(['id', 'issueId', 'bytes'])
    .where('total', '<=', MAX_SEARCHED_BYTES)
    .orderBy('n')
    .execute()
}

/** Which of the phrases, by number, occur in which of the texts. */
async function occurrences(
  db: Db,
  workspaceId: Id,
  ids: readonly Id[],
  phrases: readonly string[]
): Promise<Array<{ id: Id; n: number }>> {
  const given = sql<{ phrase: string; n: number }>`unnest(${phrases}::text[]) with ordinality`
  return await db
    .with(
      cte => cte('text').materialized(),
      cte =>
        cte
          .selectFrom('issue as i')
          .select(['i.id', sql<string>`lower(i.title || e'\\n' || i.description_markdown)`.as('lowered')])
          .where('i.workspaceId', '=', workspaceId)
          .where(sql<boolean>`i.id = any(${ids}::uuid[])`)
          .unionAll(
            cte
              .selectFrom('comment as c')
              .select(['c.id', sql<string>`lower(c.body_markdown)`.as('lowered')])
              .where('c.workspaceId', '=', workspaceId)
              .where(sql<boolean>`c.id = any(${ids}::uuid[])`)
          )
    )
    .selectFrom('text')
    .innerJoin(given.as<'given'>(sql`given (phrase, n)`), join =>
      join.on(sql<boolean>`strpos(text.lowered, lower(given.phrase)) > 0`)
    )
    .select(['text.id', 'given.n'])
    .execute()
}
