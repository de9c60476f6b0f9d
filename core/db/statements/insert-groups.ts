/** PostgreSQL allows 65,535 parameters, and no table has 65 columns. */
const MAX_ROWS = 1_000

export function* insertGroups<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let n = 0; n < rows.length; n += MAX_ROWS) yield rows.slice(n, n + MAX_ROWS)
}
