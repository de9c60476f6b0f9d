import type { Id } from '../../core/api/database/types.ts'
import { accountRecords } from './import/accounts.ts'
import { sortKinds } from './format.ts'
import { contributedKinds } from './issue-records.ts'
import type { Ctx } from './context.ts'
import { externalIdIn, readRecords } from './queries/export.ts'
import { allowSlowReader } from './queries/export.ts'

/** All records of a workspace, as lines of one snapshot. */
export async function* exportLines(ctx: Ctx, workspaceId: Id): AsyncGenerator<string> {
  const { unmanagedDb } = ctx
  const trx = await unmanagedDb.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    await allowSlowReader(trx)
    for (const { kind, rows } of sortKinds([accountRecords(ctx), ...contributedKinds(ctx)])) {
      for await (const record of readRecords(trx, rows(workspaceId, externalIdIn(workspaceId)))) {
        yield JSON.stringify({ kind, ...withoutEmpty(record) })
      }
    }
  } finally {
    await trx.rollback().execute()
  }
}

const withoutEmpty = (record: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
  )
