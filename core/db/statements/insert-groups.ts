/** Rows of one statement: PostgreSQL takes 65,535 parameters in it, and no table has 65 columns. */
const MAX_ROWS = 1_000

/** Any number of rows, in groups that an insert takes. */
export function* insertGroups<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let n = 0; n < rows.length; n += MAX_ROWS) yield rows.slice(n, n + MAX_ROWS)
}
