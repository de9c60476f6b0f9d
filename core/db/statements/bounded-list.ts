import type { BoundedList } from '../../api/database/types.ts'
import { sql, type RawBuilder } from 'kysely'
import { columnsOf, jsonObject } from '../sql.ts'

/* Lists in a statement, limited in items and bytes of JSON, with the number of omitted items. */

const MAX_LIST_ITEMS = 500
const MAX_LIST_BYTES = 256 * 1024

interface ListOptions {
  item: Record<string, RawBuilder<unknown>>
  joins?: RawBuilder<unknown>
  omitsNulls?: boolean
  order: RawBuilder<unknown>
  /** Decides which items are within the limits; unique for each row. Default: `order`. */
  keep?: RawBuilder<unknown>
}

/**
 * `item`, over the row `taken` and its `joins`, is evaluated only for the rows within the limits: expensive expressions
 * belong there.
 * @param rows SQL: a `select` of the columns of `item` and of the orders
 */
export function boundedList(
  rows: RawBuilder<unknown>,
  { item, joins = sql``, omitsNulls = false, order, keep = order }: ListOptions
): BoundedList {
  const json = (object: RawBuilder<object>) => (omitsNulls ? sql<object>`json_strip_nulls(${object})` : object)
  return {
    short: {
      array: sql`array(
      select ${json(sql`row_to_json(one)`)} from (
        select ${columnsOf(item)} from (
          select * from (${rows}) every order by ${order} limit ${sql.lit(MAX_LIST_ITEMS + 1)}) taken ${joins}) one)`,
      // The size of an array is known without reading it, and a little more than that of its items.
      isWithinLimits: array => sql`
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
      ) taken ${joins} offset 0
    ) made
  ) sized`
  }
}
