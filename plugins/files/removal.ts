import { daysBefore } from '../../lib/util/days.ts'
import type { accountDeleted } from '../../core/api/accounts.ts'
import type { Handled, LoggedEventOf } from '../../core/api/events.ts'
import { job, type Caller } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { Ctx, FileKey, Trx } from './context.ts'
import { addedEvent } from './binding.ts'
import { fileAdded, fileDeleted, files, fileTexts, STORES, type StoreName } from './contract.ts'
import { filterWithFiles, listFiles, removeFile, type StoredRow, type Subject } from './queries/files.ts'
import { findNaming, isWorkspace, listAbandoned, listUnused, rebind } from './queries/old-files.ts'
import { subtractUsage } from './queries/usage.ts'
import { lockStore } from './queries/placement.ts'
import { stores } from './stores/stores.ts'
import { issueOf, subjectOfRow } from './subjects.ts'
import { discard } from './upload/receive.ts'

/** Removes the bytes of files whose rows are gone. */
export const removeContent = job<{ workspaceId: Id; id: Id; store: StoreName }>()(files, 'removeContent')
/** Removes the files of a purged subject. */
export const removePurged = job<{ workspaceId: Id; subject: Subject }>()(files, 'removePurged')
/** Removes unused files: daily. */
export const removeUnused = job<Record<string, never>>()(files, 'removeUnused')

/** Days after which an upload that has not ended counts as abandoned. */
const MAX_UPLOAD_DAYS = 1

/** Files of a subject for which texts are searched at once. */
const MAX_SEARCHED = 50

type RemovedFile = Pick<StoredRow, 'id' | 'name' | 'bytes' | 'subjectType' | 'subjectId'>

/**
 * Removes a file if it still belongs to its subject; its bytes are removed after the commit.
 * @returns false if it was no longer there
 * @throws 404 when its issue is deleted
 */
export async function deleteFile(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  file: RemovedFile,
  reason?: string
): Promise<boolean> {
  const subject = subjectOfRow(file)
  const issueId = issueOf(subject)
  if (issueId !== undefined) await ctx.use.issues.lock(caller, trx, [issueId])
  return removeStored(ctx, trx, caller, file, {
    name: subject ? file.name : null,
    ...(reason !== undefined && { reason })
  })
}

/** Removes a file whose issue is locked, or is never changed again. @param data of the event */
async function removeStored(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  file: RemovedFile,
  data: { name: string | null; reason?: string }
): Promise<boolean> {
  const { workspaceId } = caller
  const { id, bytes } = file
  const subject = subjectOfRow(file)
  const store = await removeFile(trx, { workspaceId, id }, subject)
  if (store === undefined) return false
  await subtractUsage(trx, workspaceId, bytes)
  await ctx.enqueue(trx, removeContent, [{ workspaceId, id, store }])
  await ctx.emit(trx, fileDeleted, caller, [{ subjectId: id, parentId: issueOf(subject), data: { ...data, bytes } }])
  return true
}

/**
 * Enqueues the removal of the files of purged subjects, one per transaction: the bytes may be many, and nobody reads
 * them any more.
 */
export async function removeFilesLater(
  ctx: Ctx,
  trx: Trx,
  { workspaceId }: Caller,
  type: string,
  ids: readonly Id[]
): Promise<void> {
  const withFiles = await filterWithFiles(trx, workspaceId, type, ids)
  await ctx.enqueue(
    trx,
    removePurged,
    withFiles.map(id => ({ workspaceId, subject: { type, id } }))
  )
}

/** Removes the bytes of a file from a store, unless they have come back there. */
export const removeBytes = (ctx: Ctx, { store, ...file }: FileKey & { store: StoreName }): Promise<void> =>
  ctx.transaction(async trx => {
    if ((await lockStore(trx, file)) !== store) await ctx.get(stores).get(store).remove(file, trx)
  })

/** Removes the files of a purged subject; files that another text names pass to the subject of that text. */
export async function removeFilesOf(ctx: Ctx, workspaceId: Id, subject: Subject): Promise<void> {
  const texts = ctx.contributions(fileTexts).map(({ item }) => item)
  const list = () => listFiles(ctx.db, workspaceId, subject, { limit: MAX_SEARCHED })
  for (let page = await list(); page.length > 0; page = await list()) {
    const ids = page.map(({ id }) => id)
    const named = await findNaming(ctx.db, workspaceId, texts, ids, subject)
    for (const file of page) {
      const other = named.get(file.id)
      await ctx.transaction(async trx => {
        if (other) await handOver(ctx, trx, { workspaceId, ...file }, subject, other)
        else await removeStored(ctx, trx, ctx.asServer(workspaceId), file, { name: null })
      })
    }
  }
}

/** Removes the pictures of accounts that were removed. */
export async function removeOfAccounts(
  events: ReadonlyArray<LoggedEventOf<typeof accountDeleted>>,
  ctx: Ctx
): Promise<Handled> {
  for (const { workspaceId, subject } of events) {
    await removeFilesOf(ctx, workspaceId, { type: 'account', id: subject.id })
  }
}

/** Moves a file to another subject that names it. @throws 404 when that was deleted meanwhile */
async function handOver(
  ctx: Ctx,
  trx: Trx,
  file: StoredRow & FileKey,
  from: Subject,
  { isDeleted, ...to }: Subject & { isDeleted: boolean }
): Promise<void> {
  const caller = ctx.asServer(file.workspaceId)
  const issueId = issueOf(to)
  if (issueId !== undefined && !isDeleted) await ctx.use.issues.lock(caller, trx, [issueId])
  if (!(await rebind(trx, file, from, to)) || isDeleted) return
  await ctx.emit(trx, fileAdded, caller, [addedEvent(file, to)])
}

/** Removes files that no text has named for long, uploads that were not ended, and the files of removed workspaces. */
export async function removeUnusedFiles(ctx: Ctx): Promise<void> {
  for (const { store, ...file } of await listAbandoned(ctx.db, daysBefore(ctx.now(), MAX_UPLOAD_DAYS))) {
    await discard(ctx, file, store)
  }
  const unused = () => listUnused(ctx.db, daysBefore(ctx.now(), ctx.settings.keepUnusedDays))
  for (let page = await unused(); page.length > 0; page = await unused()) {
    for (const file of page) {
      const row = { ...file, name: '', subjectType: null, subjectId: null }
      await ctx.transaction(trx => deleteFile(ctx, trx, ctx.asServer(file.workspaceId), row))
    }
  }
  const all = ctx.get(stores)
  for (const name of STORES) {
    if (all.isUsable(name)) await all.get(name).removeWorkspacesUnless(id => isWorkspace(ctx.db, id))
  }
}
