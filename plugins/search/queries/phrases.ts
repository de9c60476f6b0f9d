import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { groupsOf, notDeletedIn, type SizedId } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'
import { phrasesIn, preparePhrase } from '../word-index/phrases.ts'

/** Maximum issues that are searched for quoted phrases, the best by words; and bytes of all their texts. */
export const MAX_PHRASE_CANDIDATES = 1_000
const MAX_SEARCHED_BYTES = 32 * 1024 * 1024
/** Bytes per statement: on the embedded database all others wait for it. */
const MAX_STATEMENT_BYTES = 512 * 1024
const MAX_LENGTH_PER_TURN = 50_000

/** `id` is the row's: of the issue, for its title with its description, or of the comment. */
interface Text {
  id: Id
  issueId: Id
  bytes: number
}

/**
 * The issues whose texts contain all phrases: one may be in the title, another in a comment. The texts are read in
 * statements of bounded bytes.
 * @param ids best first: if the texts exceed the limit, only the best are searched
 */
export async function holdersOfPhrases(
  db: Db,
  workspaceId: Id,
  ids: readonly Id[],
  phrases: readonly string[]
): Promise<Set<Id>> {
  const prepared = phrases.map(preparePhrase)
  const phrasesOfIssue = new Map<Id, Set<number>>()
  const texts = new Map((await textsOf(db, workspaceId, ids)).map(text => [text.id, text]))
  const sizes = [...texts.values()].map(({ id, bytes }): SizedId => [id, bytes])
  for (const group of groupsOf(sizes, MAX_STATEMENT_BYTES)) {
    for (const { id, text } of await readTexts(db, workspaceId, group)) {
      const { issueId } = texts.get(id)!
      const held = phrasesOfIssue.get(issueId) ?? new Set()
      for (const n of phrasesIn(text, prepared)) held.add(n)
      phrasesOfIssue.set(issueId, held)
      if (text.length > MAX_LENGTH_PER_TURN) await setImmediate()
    }
    await setImmediate()
  }
  return new Set([...phrasesOfIssue].flatMap(([id, { size }]) => (size === phrases.length ? [id] : [])))
}

async function textsOf(db: Db, workspaceId: Id, ids: readonly Id[]): Promise<Text[]> {
  const rows = sql<{ id: Id; n: number }>`unnest(${ids}::uuid[]) with ordinality`
  return await db
    .with(
      cte => cte('candidate').materialized(),
      cte => cte.selectFrom(rows.as<'given'>(sql`given (id, n)`)).select(['given.id', 'given.n'])
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

const readTexts = (db: Db, workspaceId: Id, ids: readonly Id[]): Promise<Array<{ id: Id; text: string }>> =>
  db
    .selectFrom('issue as i')
    .innerJoinLateral(
      sql<{ text: string }>`unnest(array[i.title, i.description_markdown])`.as<'part'>(sql`part (text)`),
      join => join.onTrue()
    )
    .select(['i.id', 'part.text'])
    .where('i.workspaceId', '=', workspaceId)
    .where(sql<boolean>`i.id = any(${ids}::uuid[])`)
    .unionAll(eb =>
      eb
        .selectFrom('comment as c')
        .select(['c.id', 'c.bodyMarkdown as text'])
        .where('c.workspaceId', '=', workspaceId)
        .where(sql<boolean>`c.id = any(${ids}::uuid[])`)
    )
    .execute()
