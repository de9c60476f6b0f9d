import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { groupsOf, type SizedId } from '../../core/db/bounded-rows.ts'
import type { CoreTables, Id } from '../../core/db/tables.ts'
import type { CommentsTables } from '../comments/contract.ts'
import type { IssuesTables } from '../issues/contract.ts'

type Db = Kysely<CoreTables & IssuesTables & CommentsTables>

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
 * @param ids best first: of texts that are too many together those of the best are searched
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

async function textsOf(db: Db, workspaceId: Id, ids: readonly Id[]): Promise<Text[]> {
  const { rows } = await sql<Text>`
    with candidate as materialized (select id, n from unnest(${ids}::uuid[]) with ordinality as given (id, n)),
    text as (
      select candidate.n, i.id, i.id as issue_id, octet_length(i.title) + octet_length(i.description_markdown) as bytes
      from candidate join issue i on i.workspace_id = ${workspaceId} and i.id = candidate.id
      union all
      select candidate.n, c.id, c.issue_id, octet_length(c.body_markdown) from candidate
      join comment c on c.workspace_id = ${workspaceId} and c.issue_id = candidate.id and c.deleted_at is null)
    select id, issue_id, bytes from (
      select *, sum(bytes) over (order by n, id rows unbounded preceding) as total from text) as summed
    where total <= ${MAX_SEARCHED_BYTES} order by n`.execute(db)
  return rows
}

/** Which of the phrases, by number, occur in which of the texts. */
async function occurrences(
  db: Db,
  workspaceId: Id,
  ids: readonly Id[],
  phrases: readonly string[]
): Promise<Array<{ id: Id; n: number }>> {
  const { rows } = await sql<{ id: Id; n: number }>`
    with text as materialized (
      select i.id, lower(i.title || e'\n' || i.description_markdown) as lowered from issue i
      where i.workspace_id = ${workspaceId} and i.id = any(${ids}::uuid[])
      union all
      select c.id, lower(c.body_markdown) from comment c
      where c.workspace_id = ${workspaceId} and c.id = any(${ids}::uuid[]))
    select text.id, phrase.n from text
    join unnest(${phrases}::text[]) with ordinality as phrase (phrase, n) on strpos(lowered, lower(phrase)) > 0`.execute(
    db
  )
  return rows
}
