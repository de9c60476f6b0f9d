import { sql, type RawBuilder } from 'kysely'
import { columnsOf, jsonObject } from './sql.ts'

/*
 * Lists inside a statement with a limit in items and in bytes: however long their rows are, and however many there
 * are, the answer stays small, and says how many items it has no room for.
 */

/** Items of a list, and bytes of their JSON. */
export const MAX_LIST_ITEMS = 500
export const MAX_LIST_BYTES = 256 * 1024

/**
 * A list in two forms. A statement has the lists in the same form: the short one, which costs half as much, and where
 * a list has no room for all, the exact one after it.
 */
export interface BoundedList {
  short: ShortList
  /** One row of SQL: `items`, those that have room, and `omitted` (how many items are not in it). */
  exact: RawBuilder<{ items: object[]; omitted: number }>
}

export interface ShortList {
  /** An array of SQL; one that has no room may be cut off, or null. */
  array: RawBuilder<object[] | null>
  /** Whether a column with the array has room for all: asked of it before its JSON is made. */
  hasRoom(array: RawBuilder<unknown>): RawBuilder<boolean>
}

interface ListOptions {
  /** The fields of an item, over the row `taken`. */
  item: Record<string, RawBuilder<unknown>>
  /** Whether an item is without the fields that are null. */
  omitsNulls?: boolean
  /** The columns that the items are in the order of. */
  order: RawBuilder<unknown>
  /** The columns in whose order items are taken while there is room; no two rows are equal in them. */
  keep?: RawBuilder<unknown>
}

/**
 * Only the items that are taken are made, so what costs much per row (names of other tables, JSON) belongs in `item`:
 * the time is linear in the rows and small for each, with or without statistics of the tables.
 * @param rows SQL: a `select` of the columns of `item` and of the orders
 */
export function boundedList(
  rows: RawBuilder<unknown>,
  { item, omitsNulls = false, order, keep = order }: ListOptions
): BoundedList {
  const json = (object: RawBuilder<object>) => (omitsNulls ? sql<object>`json_strip_nulls(${object})` : object)
  return {
    short: {
      array: sql`array(
      select ${json(sql`row_to_json(one)`)} from (
        select ${columnsOf(item)} from (
          select * from (${rows}) every order by ${order} limit ${sql.lit(MAX_LIST_ITEMS + 1)}) taken) one)`,
      // The size of an array is known without looking at it, and a little more than that of its items.
      hasRoom: array => sql`
      cardinality(${array}) <= ${sql.lit(MAX_LIST_ITEMS)} and pg_column_size(${array}) <= ${sql.lit(MAX_LIST_BYTES)}`
    },
    exact: sql`
  select array_to_json(coalesce(array_agg(json order by ${order}) filter (where fits), '{}')) as items,
    coalesce(max(total), 0) - count(*) filter (where fits) as omitted
  from (
    select *, sum(octet_length(json::text)) over (order by ${keep}) <= ${sql.lit(MAX_LIST_BYTES)} as fits
    from (
      select taken.*, ${json(jsonObject(item))} as json
      from (
        select *, count(*) over () as total from (${rows}) every order by ${keep} limit ${sql.lit(MAX_LIST_ITEMS)}
      ) taken offset 0
    ) made
  ) sized`
  }
}
