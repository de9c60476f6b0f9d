import type { Id } from '../../core/api/database/types.ts'
import { allKinds } from './issue-records.ts'
import type { Ctx } from './context.ts'
import { allowSlowReader, externalIdIn, readRecords } from './queries/export.ts'

interface Contents {
  folder: string
  leftOut(reason: string): void
}

/** As lines of one snapshot. @param beside without it, kinds with contents are left out */
export async function* exportLines(ctx: Ctx, workspaceId: Id, beside?: Contents): AsyncGenerator<string> {
  const { unmanagedDb } = ctx.use.database
  const trx = await unmanagedDb.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    await allowSlowReader(trx)
    for (const { kind, rows, contents } of allKinds(ctx)) {
      if (contents && !beside) continue
      for await (const record of readRecords(trx, rows(workspaceId, externalIdIn(workspaceId)))) {
        const problem = beside && (await contents?.write(trx, workspaceId, String(record['externalId']), beside.folder))
        if (beside && problem !== undefined) beside.leftOut(problem)
        else yield JSON.stringify({ kind, ...withoutEmpty(record) })
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
