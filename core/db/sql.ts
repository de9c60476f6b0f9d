import { sql, type RawBuilder } from 'kysely'

/** A time as the API shows it, made by the database: `2026-11-20T10:00:00.000Z`. */
export const iso = (column: string): RawBuilder<string> =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** `json_build_object` of named expressions; at most 50 fields (PostgreSQL takes 100 arguments). */
export function jsonObject (fields: Record<string, RawBuilder<unknown>>): RawBuilder<object> {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [sql`${sql.lit(name)}::text`, value])
  return sql<object>`json_build_object(${sql.join(pairs)})`
}

/** The JSON array of a subquery's single column `item`, in its order; `[]` when it is empty. */
export const jsonArray = (subquery: RawBuilder<unknown>): RawBuilder<object[]> =>
  sql<object[]>`coalesce((select json_agg(rows.item) from (${subquery}) rows), '[]'::json)`

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Whether a text can be an id at all; PostgreSQL refuses to compare a uuid with anything else. */
export const isId = (text: string): boolean => UUID.test(text)
