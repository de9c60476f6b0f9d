import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Id } from './tables.ts'

/*
 * Long answers are read in statements of bounded bytes, however long the rows are: a first statement reads as many
 * rows as fit, and says how large the others are; those are read in groups, each a statement of its own. No connection
 * is held between two statements, and at most one group is in memory.
 */

/** Bytes of rows that one statement reads; a single row may have more. */
export const MAX_STATEMENT_BYTES = 4 * 1024 * 1024

/** A row that is not read yet: its id, and about how many bytes of JSON it has. */
export type SizedId = [id: Id, bytes: number]

/** What the first statement has read. */
export interface FirstRows {
  /** The JSON of the rows that fit, joined by commas; null when there is none. */
  items: string | null
  /** The others, in their order. */
  rest: SizedId[] | null
}

/**
 * SQL: the JSON texts (column `json`) of the rows whose ids are in the relation `wanted` (columns `id` and `n`), in the
 * order of `n`.
 */
export type RowsOf = RawBuilder<unknown>

/** SQL: common table expressions `running` (which rows fit) and `wanted`, of a relation of `id`, `n` and `bytes`. */
export const boundedRows = (sized: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  running as materialized (
    select id, n, bytes, n = min(n) over () or sum(bytes) over (order by n) <= ${MAX_STATEMENT_BYTES} as fits
    from (${sized}) as sized),
  wanted as materialized (select id, n from running where fits)`

/** SQL: the columns of `FirstRows`; stands after `boundedRows`. */
export const firstRows = (rowsOf: RowsOf): RawBuilder<unknown> => sql`
  ${joined(rowsOf)} as items,
  (select json_agg(json_build_array(id, bytes) order by n) from running where not fits) as rest`

const joined = (rowsOf: RowsOf) => sql`(select string_agg(json, ',') from (${rowsOf}) as ordered)`

/** The items of all rows, as texts of items joined by commas. */
export async function* readBounded<DB>(
  db: Kysely<DB>,
  { items, rest }: FirstRows,
  rowsOf: RowsOf
): AsyncGenerator<string> {
  if (items !== null) yield items
  for (const ids of groupsOf(rest ?? [])) {
    const { rows } = await sql<{ items: string | null }>`
      with wanted as materialized (select id, n from unnest(${ids}::uuid[]) with ordinality as given (id, n))
      select ${joined(rowsOf)} as items`.execute(db)
    if (rows[0]?.items != null) yield rows[0].items
  }
}

/** Consecutive rows that one statement reads, of at most `maxBytes` unless a single one has more. */
export function groupsOf(rows: readonly SizedId[], maxBytes = MAX_STATEMENT_BYTES): Id[][] {
  const groups: Id[][] = []
  let room = 0
  for (const [id, bytes] of rows) {
    room -= bytes
    if (room < 0 || groups.length === 0) {
      groups.push([])
      room = maxBytes - bytes
    }
    groups.at(-1)!.push(id)
  }
  return groups
}
