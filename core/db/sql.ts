import { sql, type Expression, type RawBuilder } from 'kysely'

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** `2026-11-20T10:00:00.000Z` */
export const iso = (column: string): RawBuilder<string> =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The database's clock, for times that several processes compare. @param moved `movedTime()` */
export const databaseTime = (moved: Date | null | RawBuilder<Date | null>): RawBuilder<Date> =>
  // Citus refuses the function within `coalesce` where a row is updated.
  moved === null ? sql<Date>`statement_timestamp()` : sql<Date>`coalesce(${moved}::timestamptz, statement_timestamp())`

/*
 * JSON made by the database is answered unchanged. It is made of rows, which PostgreSQL writes without spaces;
 * `json_build_object` and `json_agg` write spaces around names and values, which cost an agent a fifth more tokens for
 * a context.
 */

/** The JSON object of a subquery's one row, keyed by its columns; null when there is none. */
export const jsonRow = (subquery: Expression<unknown>): RawBuilder<object | null> =>
  sql<object | null>`(select row_to_json(one) from (${subquery}) one)`

/** The JSON array of a subquery's rows, in its order, as objects keyed by its columns; `[]` when it is empty. */
export const jsonRows = (subquery: Expression<unknown>): RawBuilder<object[]> =>
  sql<object[]>`array_to_json(array(select row_to_json(every) from (${subquery}) every))`

/** The JSON array of a subquery's single column, in its order; `[]` when it is empty. */
export const jsonArray = (subquery: Expression<unknown>): RawBuilder<unknown[]> =>
  sql<unknown[]>`array_to_json(array(${subquery}))`

export const columnsOf = (fields: Record<string, RawBuilder<unknown>>): RawBuilder<unknown> =>
  sql.join(Object.entries(fields).map(([name, value]) => sql`${value} as ${sql.raw(`"${name}"`)}`))

export const jsonObject = <T extends object = object>(fields: {
  [K in keyof T]: RawBuilder<unknown>
}): RawBuilder<T> => sql<T>`(select row_to_json(one) from (select ${columnsOf(fields)}) one)`

/** Looked up for each row of the outer query: `exists` may read all rows into memory. @param rows after `from` */
export const hasRow = (rows: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`coalesce((select true from ${rows} limit 1), false)`

/** A JSON object with further fields (JSON or null); null fields are left out. */
export function withFields(
  object: RawBuilder<object>,
  fields: Record<string, RawBuilder<unknown>>
): RawBuilder<object> {
  const named = (name: string) => sql.raw(`made."${name}"`)
  const names = Object.keys(fields)
  if (names.length === 0) return object
  const texts = names.map(name => sql`coalesce(${sql.lit(`,"${name}":`)} || ${named(name)}::text, '')`)
  return sql<object>`(
    select case when num_nonnulls(${sql.join(names.map(named))}) = 0 then made.json
      else (left(made.json::text, -1) || ${sql.join(texts, sql` || `)} || '}')::json end
    from (select ${object} as json, ${columnsOf(fields)} offset 0) made)`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** True if a text is a UUID; PostgreSQL refuses to compare a uuid with anything else. */
export const isId = (text: string): boolean => UUID.test(text)
