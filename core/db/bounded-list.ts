import { sql, type RawBuilder } from 'kysely'

/*
 * Lists inside a statement with a limit in items and in bytes: however long their rows are, and however many there
 * are, the answer stays small, and says how many items it has no room for.
 */

/** Items of a list, and bytes of their JSON. */
export const MAX_LIST_ITEMS = 500
export const MAX_LIST_BYTES = 256 * 1024

/**
 * A list in two forms, each one row of SQL. A statement has the lists in the same form: the short one, which costs
 * half as much, and where a list has no room for all, the exact one after it.
 */
export interface BoundedList {
  /** `items` (a JSON array): null when not all have room. */
  short: RawBuilder<{ items: object[] | null }>
  /** `items`, those that have room, and `omitted` (how many items are not in it). */
  exact: RawBuilder<{ items: object[]; omitted: number }>
}

/**
 * Only the items that are taken are made, so what costs much per row (names of other tables, JSON) belongs in `item`:
 * the time is linear in the rows and small for each, with or without statistics of the tables.
 * @param rows SQL: a `select` of the columns of `item` and of the orders
 * @param item the JSON of an item, over the row `taken`
 * @param order the columns that the items are in the order of
 * @param keep the columns in whose order items are taken while there is room; no two rows are equal in them
 */
export const boundedList = (
  rows: RawBuilder<unknown>,
  { item, order, keep = order }: { item: RawBuilder<object>; order: RawBuilder<unknown>; keep?: RawBuilder<unknown> }
): BoundedList => ({
  // The size of an array is known without looking at it, and a little more than that of its items.
  short: sql`
  select case
    when cardinality(items) <= ${sql.lit(MAX_LIST_ITEMS)} and pg_column_size(items) <= ${sql.lit(MAX_LIST_BYTES)}
    then array_to_json(items) end as items
  from (
    select array(
      select ${item}
      from (select * from (${rows}) every order by ${order} limit ${sql.lit(MAX_LIST_ITEMS + 1)}) taken) as items
    offset 0
  ) made`,
  exact: sql`
  select array_to_json(coalesce(array_agg(json order by ${order}) filter (where fits), '{}')) as items,
    coalesce(max(total), 0) - count(*) filter (where fits) as omitted
  from (
    select *, sum(octet_length(json::text)) over (order by ${keep}) <= ${sql.lit(MAX_LIST_BYTES)} as fits
    from (
      select taken.*, ${item} as json
      from (
        select *, count(*) over () as total from (${rows}) every order by ${keep} limit ${sql.lit(MAX_LIST_ITEMS)}
      ) taken offset 0
    ) made
  ) sized`
})
