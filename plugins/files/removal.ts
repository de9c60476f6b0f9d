import { daysBefore } from '../../lib/util/days.ts'
import { job, type Caller } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { Ctx, Trx } from './context.ts'
import { fileDeleted, files, STORES, type StoreName } from './contract.ts'
import { removeFile, type StoredRow } from './queries/files.ts'
import { isWorkspace, listAbandoned, listUnused } from './queries/old-files.ts'
import { subtractUsage } from './queries/usage.ts'
import { stores } from './stores/stores.ts'
import { issueOf, subjectOfRow } from './subjects.ts'
import { discard } from './upload/receive.ts'

/** Removes the bytes of files whose rows are gone. */
export const removeContent = job<{ workspaceId: Id; id: Id; store: StoreName }>()(files, 'removeContent')
/** Removes what nobody uses: daily. */
export const removeUnused = job<Record<string, never>>()(files, 'removeUnused')

/** Days after which an upload that has not ended counts as abandoned. */
const MAX_UPLOAD_DAYS = 1

/**
 * Removes a file, if it still belongs to what it belonged to; its bytes go after the commit.
 * @returns whether it was there
 */
export async function deleteFile(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  file: Pick<StoredRow, 'id' | 'store' | 'name' | 'bytes' | 'subjectType' | 'subjectId'>
): Promise<boolean> {
  const { workspaceId } = caller
  const { id, store, name, bytes } = file
  const subject = subjectOfRow(file)
  const issue = issueOf(subject)
  if (issue.issueId !== undefined) await ctx.use.issues.lock(caller, trx, [issue.issueId])
  if (!(await removeFile(trx, { workspaceId, id }, subject))) return false
  await subtractUsage(trx, workspaceId, bytes)
  await ctx.enqueue(trx, removeContent, [{ workspaceId, id, store }])
  const data = { name: subject ? name : null, bytes }
  await ctx.emit(trx, fileDeleted, caller, [{ subjectId: id, ...issue, data }])
  return true
}

/** Removes files that no text has named for long, uploads that were not ended, and the files of removed workspaces. */
export async function removeUnusedFiles(ctx: Ctx): Promise<void> {
  for (const { workspaceId, ...key } of await listAbandoned(ctx.db, daysBefore(ctx.now(), MAX_UPLOAD_DAYS))) {
    await discard(ctx, { workspaceId, id: key.id }, key.store)
  }
  for (const file of await listUnused(ctx.db, daysBefore(ctx.now(), ctx.settings.keepUnusedDays))) {
    const row = { ...file, name: '', subjectType: null, subjectId: null }
    await ctx.transaction(trx => deleteFile(ctx, trx, ctx.asServer(file.workspaceId), row))
  }
  for (const name of STORES) {
    if (ctx.get(stores).isUsable(name)) {
      await ctx
        .get(stores)
        .get(name)
        .removeWorkspacesUnless(id => isWorkspace(ctx.db, id))
    }
  }
}
