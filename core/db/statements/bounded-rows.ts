import { sql, type RawBuilder } from 'kysely'
import { groupBySize } from '../../../lib/util/group-by-size.ts'
import type { DatabaseHandle, Id } from '../../api/database/types.ts'

/*
 * Long answers are read in statements of bounded bytes: the first reads as many rows as fit, and the sizes of the
 * others, which are read in groups. No connection is held between two, and one group is in memory at most. Raw, because
 * the rows may be of any table.
 */

/** A larger row is read alone, in pieces. */
export const MAX_STATEMENT_BYTES = 4 * 1024 * 1024

/** A row that is not read yet, and roughly the bytes of its JSON. */
export type SizedId = [id: Id, bytes: number]

/** Items of a JSON array, joined by commas; a continuation goes on within the last item before. */
export interface ItemsText {
  text: string
  isContinuation: boolean
}

export interface FirstRows {
  /** Joined by commas; null: none, or the first is too long. */
  items: string | null
  rest: SizedId[] | null
}

/** SQL: the texts (column `json`) of the rows in the relation `wanted` (`id`, `n`), ordered by `n`. */
export type RowsOf = RawBuilder<unknown>

/** SQL: `running` has whether each row of `sized` (`id`, `n`, `bytes`) fits, `wanted` those that are read at once. */
export const boundedRows = (sized: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  running as materialized (
    select id, n, bytes, n = min(n) over () or sum(bytes) over (order by n) <= ${MAX_STATEMENT_BYTES} as fits
    from (${sized}) as sized),
  wanted as materialized (select id, n from running where fits and bytes <= ${MAX_STATEMENT_BYTES})`

/** SQL: the columns of `FirstRows`, after `boundedRows`. */
export const firstRows = (rowsOf: RowsOf): RawBuilder<unknown> => sql`
  ${joined(rowsOf)} as items,
  (select json_agg(json_build_array(id, bytes) order by n) from running
    where not fits or bytes > ${MAX_STATEMENT_BYTES}) as rest`

/** SQL: the same for short rows, which all fit. */
export const allRows = (rowsOf: RowsOf): RawBuilder<unknown> => sql`${joined(rowsOf)} as items, null::json as rest`

const joined = (rowsOf: RowsOf) => sql`(select string_agg(json, ',') from (${rowsOf}) as ordered)`

export async function* readBounded(
  db: DatabaseHandle,
  { items, rest }: FirstRows,
  rowsOf: RowsOf
): AsyncGenerator<ItemsText> {
  if (items !== null) yield { text: items, isContinuation: false }
  const bytesOf = new Map(rest)
  for (const ids of groupsOf(rest ?? [])) {
    const [first] = ids
    if (first !== undefined && bytesOf.get(first)! > MAX_STATEMENT_BYTES) {
      yield* readLong(db, first, rowsOf)
      continue
    }
    const { rows } = await sql<{ items: string | null }>`
      with ${wantedRows(ids)} select ${joined(rowsOf)} as items`.execute(db)
    if (rows[0]?.items != null) yield { text: rows[0].items, isContinuation: false }
  }
}

const wantedRows = (ids: readonly Id[]) => sql`
  wanted as materialized (select id, n from unnest(${ids}::uuid[]) with ordinality as given (id, n))`

/**
 * A long row, in pieces that block the event loop for milliseconds. It is cut as bytes, because the database counts all
 * characters before the n-th, and sent as text, because the protocol doubles bytes.
 */
export async function* readLong(db: DatabaseHandle, id: Id, rowsOf: RowsOf): AsyncGenerator<ItemsText> {
  const from = characterFrom(sql.ref('start'))
  const to = characterFrom(sql`start + ${MAX_STATEMENT_BYTES}`)
  const { rows } = await sql<{ piece: string }>`
    with ${wantedRows([id])}
    select convert_from(substr(bytes, ${from}, ${to} - ${from}), 'UTF8') as piece
    from (select convert_to(${joined(rowsOf)}, 'UTF8') as bytes offset 0) as long
    cross join generate_series(1, octet_length(bytes), ${MAX_STATEMENT_BYTES}) as start
    order by start`.execute(db)
  for (const [n, { piece }] of rows.entries()) yield { text: piece, isContinuation: n > 0 }
}

/** SQL: where, from `at` on, a character of the UTF-8 in `bytes` begins, or the end. */
const characterFrom = (at: RawBuilder<unknown>) => sql`(
  select min(place) from generate_series(${at}, ${at} + 3) as place
  where case when place > octet_length(bytes) then true else get_byte(bytes, place - 1) & 192 <> 128 end)`

/** Groups of consecutive rows; one row may have more than `maxBytes`. */
export const groupsOf = (rows: readonly SizedId[], maxBytes = MAX_STATEMENT_BYTES): Id[][] =>
  groupBySize(rows, ([, bytes]) => bytes, maxBytes).map(group => group.map(([id]) => id))
