import { sql, type RawBuilder } from 'kysely'
import type { TransactionHandle } from '../../api/database/types.ts'
import { isDistributed } from '../statements/statement.ts'

interface Write<Row> {
  write: RawBuilder<unknown>
  select: RawBuilder<Row>
  /** @param row the first one of `select`; undefined: the writes are a part of the statement, and have `written` */
  follow(row: Row | undefined): Promise<ReadonlyArray<RawBuilder<unknown>>>
}

/**
 * PostgreSQL gets one statement: see statements/README.md. On Citus, where the rows of its parts would pass through the
 * coordinator, each is a statement; where the first finds no row, nothing follows.
 */
export async function writeTogether<Row>(
  trx: TransactionHandle,
  { write, select, follow }: Write<Row>
): Promise<readonly Row[]> {
  const isOne = !isDistributed(trx)
  const parts = isOne ? await follow(undefined) : []
  const { rows } = await sql<Row>`
    with written as (${write})
    ${sql.join(
      parts.map((part, n) => sql`, ${sql.raw(`part_${n}`)} as (${part})`),
      sql``
    )}
    ${select}`.execute(trx)
  if (!isOne && rows[0] !== undefined) for (const part of await follow(rows[0])) await part.execute(trx)
  return rows
}
