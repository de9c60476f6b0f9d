import type { Caller, Principal } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { isId } from '../../core/api/database/queries.ts'
import { forbidden, invalid, missing, notFound, tooLarge } from '../../core/api/errors.ts'
import { addedEvent, filesNamedIn } from './binding.ts'
import { isShownAsImage } from './content/types.ts'
import type { Ctx, Db, Trx } from './context.ts'
import { fileAdded, type FileSubject } from './contract.ts'
import { kindOfAccount, lockAccounts, namedAccounts } from './queries/accounts.ts'
import { bindFiles, filterWithFiles, findFile, listFiles, type Content, type StoredRow } from './queries/files.ts'
import { deleteFile } from './removal.ts'
import { inMib } from './upload/limits.ts'

/*
 * The file of an account is its picture. It has one: the next one replaces it.
 */

type NewPicture = Pick<Content, 'mimeType' | 'bytes'>

const ACCOUNT = 'account'
export const MAX_PICTURE_BYTES = 1024 * 1024
/** More than an account has. */
const MAX_REMOVED = 100

export const accounts = (db: Db): FileSubject => ({
  type: ACCOUNT,
  isReadable: async ({ workspaceId }, id) => (await kindOfAccount(db, workspaceId, id)) !== undefined,
  async assertChangeable({ workspaceId, accountId, role }, id) {
    if (id === accountId) return
    if (role === 'ADMIN' && (await kindOfAccount(db, workspaceId, id)) === 'AGENT') return
    throw forbidden('Each account sets its own picture, and administrators those of agents.')
  },
  named: namedAccounts
})

export const pictureTooLarge = () => tooLarge(`A picture has at most ${inMib(MAX_PICTURE_BYTES)}: scale it down.`)

function faultOfPicture({ mimeType, bytes }: NewPicture): Error | undefined {
  if (!isShownAsImage(mimeType)) {
    return invalid(`A picture is a PNG, JPEG, WebP, GIF or AVIF image, and this file is ${mimeType}.`)
  }
  if (bytes > MAX_PICTURE_BYTES) return pictureTooLarge()
  return undefined
}

/**
 * The account is locked then: of two changes at once, the second one removes what the first one has set.
 * @throws 400 or 413 when the new file cannot be a picture; 404 when the account is removed
 */
export async function removeFormerPicture(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  accountId: Id,
  file: NewPicture
): Promise<void> {
  const fault = faultOfPicture(file)
  if (fault) throw fault
  await lockOwner(trx, caller, accountId)
  await removePictures(ctx, trx, caller, accountId)
}

/** @param ref the file's url or id @throws 400, 404, 413 */
export async function setPicture(ctx: Ctx, caller: Principal, accountId: Id, ref: string): Promise<StoredRow> {
  const { workspaceId } = caller
  const id = filesNamedIn(ref)[0] ?? ref.trim().toLowerCase()
  const subject = { type: ACCOUNT, id: accountId }
  return ctx.transaction(async trx => {
    await lockOwner(trx, caller, accountId)
    const file = isId(id) ? await findFile(trx, { workspaceId, id }) : undefined
    if (file?.subjectType === ACCOUNT && file.subjectId === accountId) return file
    // Before the former one is removed, so that it does not wait for a removal of this one that waits for it.
    const bound = file ? await bindFiles(trx, workspaceId, caller.accountId, [id], subject) : []
    if (file === undefined || bound.length === 0) {
      throw missing('A picture is a file that you have uploaded and that belongs to nothing yet: upload it again.')
    }
    const fault = faultOfPicture(file)
    if (fault) throw fault
    await removePictures(ctx, trx, caller, accountId, id)
    await ctx.emit(trx, fileAdded, caller, [addedEvent(file, subject)])
    return file
  })
}

/**
 * Locks accounts that get pictures by an import.
 * @returns a function that answers why a file cannot be a picture of one
 */
export async function importedPictures(trx: Trx, workspaceId: Id, accountIds: readonly Id[]) {
  const taken = new Set<Id>()
  if (accountIds.length > 0) {
    await lockAccounts(trx, workspaceId, accountIds)
    for (const id of await filterWithFiles(trx, workspaceId, ACCOUNT, accountIds)) taken.add(id)
  }
  return (accountId: Id, file: NewPicture): string | undefined => {
    if (taken.has(accountId)) return 'the account has a picture already'
    const fault = faultOfPicture(file)
    if (!fault) taken.add(accountId)
    return fault?.message
  }
}

export const removePicture = (ctx: Ctx, caller: Caller, accountId: Id): Promise<Id> =>
  ctx.transaction(async trx => {
    await lockOwner(trx, caller, accountId)
    const [id] = await removePictures(ctx, trx, caller, accountId)
    if (id === undefined) throw missing('This account has no picture.')
    return id
  })

async function lockOwner(trx: Trx, { workspaceId }: Caller, id: Id): Promise<void> {
  if ((await lockAccounts(trx, workspaceId, [id])).length === 0) throw notFound(ACCOUNT, id)
}

/** @param except the new one @returns the ids of the files */
async function removePictures(ctx: Ctx, trx: Trx, caller: Caller, accountId: Id, except?: Id): Promise<Id[]> {
  const files = await listFiles(trx, caller.workspaceId, { type: ACCOUNT, id: accountId }, { limit: MAX_REMOVED })
  const former = files.filter(({ id }) => id !== except)
  for (const file of former) await deleteFile(ctx, trx, caller, file)
  return former.map(({ id }) => id)
}
