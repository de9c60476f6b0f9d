import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Caller } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { RecordContents } from '../../transfer/contract.ts'
import type { Ctx, FileKey, Trx } from '../context.ts'
import { storedName, urlNameOf } from '../content/names.ts'
import { readWhole } from '../maintenance/content.ts'
import { findFile, insertUploading, listStored, type Content } from '../queries/files.ts'
import { fileAddresses, lockUnpublished, setContent } from '../queries/transfer.ts'
import { usedBytes } from '../queries/usage.ts'
import { fileTooLarge, workspaceFull } from '../upload/limits.ts'
import { discard, newFile, Reader, storeFile } from '../upload/receive.ts'

interface FileRecord {
  externalId: string
  name: string
  sha256: string
}
type NewFile = ReturnType<typeof newFile>

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** In a folder, named by their SHA-256: equal files share one. */
export const fileContents = (ctx: Ctx): RecordContents<FileRecord> => ({
  write: (trx, workspaceId, id, folder) => writeContent(ctx, trx, { workspaceId, id }, folder),
  async store(caller, records, folder, dryRun) {
    const reasons = new Map<string, string>()
    const { workspaceId } = caller
    const stored = await listStored(dryRun ?? ctx.db, workspaceId, records.map(idOf))
    const present = new Set(stored.map(({ id }) => id))
    await removeUnpublished(ctx, workspaceId, records, dryRun)
    for (const record of records) {
      if (present.has(idOf(record))) continue
      present.add(idOf(record))
      const reason = await storeContent(ctx, caller, record, folder, dryRun)
      if (reason !== undefined) reasons.set(record.externalId, reason)
    }
    return reasons
  },
  discard: ({ workspaceId }, records) => removeUnpublished(ctx, workspaceId, records, undefined),
  addresses: fileAddresses,
  addressOf: (id, name) => `/v1/files/${id}/${urlNameOf(storedName(name))}`,
  async limits({ workspaceId }) {
    const { maxBytes, maxBytesPerWorkspace } = ctx.settings
    const used = await usedBytes(ctx.db, workspaceId)
    return (bytes, before) => {
      if (bytes > maxBytes) return fileTooLarge(maxBytes).message
      return used + before + bytes > maxBytesPerWorkspace ? workspaceFull(maxBytesPerWorkspace).message : undefined
    }
  }
})

const idOf = ({ externalId }: FileRecord): Id => externalId.toLowerCase()

/** Such as those of an import that was interrupted. */
async function removeUnpublished(ctx: Ctx, workspaceId: Id, records: readonly FileRecord[], dryRun: Trx | undefined) {
  if (dryRun !== undefined) return
  const left = await ctx.transaction(trx => lockUnpublished(trx, workspaceId, records.map(idOf)))
  for (const { id, store } of left) await discard(ctx, { workspaceId, id }, store)
}

/** @returns why it cannot be written */
async function writeContent(ctx: Ctx, trx: Trx, key: FileKey, folder: string): Promise<string | undefined> {
  const file = (await findFile(trx, key))!
  const path = join(folder, hex(file.sha256))
  // The content of an equal file, or of an earlier export.
  if ((await stat(path).catch(() => undefined))?.size === file.bytes) return undefined
  const partial = `${path}.part`
  const condition = await readWhole(ctx, { ...file, ...key }, chunks => writeFileOf(partial, chunks), trx)
  if (condition === 'whole') {
    await rename(partial, path)
    return undefined
  }
  await rm(partial, { force: true })
  return (
    `Left out the file ${file.id} (${file.name}): its content is ${condition} in the store ${file.store}. ` +
    'Restore it from a backup, or remove the file; `files check` lists all that are so.'
  )
}

async function writeFileOf(path: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
  } finally {
    await file.close()
  }
}

/** @returns why it cannot be stored */
async function storeContent(
  ctx: Ctx,
  { workspaceId, accountId }: Caller,
  record: FileRecord,
  folder: string | undefined,
  dryRun: Trx | undefined
): Promise<string | undefined> {
  if (folder === undefined) {
    return 'its content is beside the lines: import again, with --files and the folder that `export --files` wrote'
  }
  const path = join(folder, record.sha256)
  if (!(await stat(path).catch(() => undefined))?.isFile()) {
    return `its content '${record.sha256}' is not in the folder: copy it there, or export again; then import again`
  }
  const file = newFile(ctx, { workspaceId, id: idOf(record) }, record.name, accountId!)
  const chunks = createReadStream(path)
  try {
    const content = await (dryRun ? inspectOnly(ctx, dryRun, file, chunks) : storeUnpublished(ctx, file, chunks))
    if (hex(content.sha256) === record.sha256) return undefined
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 413) throw error
    return (error as Error).message
  }
  await removeUnpublished(ctx, workspaceId, [record], dryRun)
  return `its content '${record.sha256}' has another SHA-256: it is damaged. Export again, then import again`
}

async function storeUnpublished(ctx: Ctx, file: NewFile, chunks: AsyncIterable<Buffer>): Promise<Content> {
  const { content } = await storeFile(ctx, file, { chunks, async end() {} })
  await ctx.transaction(trx => setContent(trx, file, content))
  return content
}

async function inspectOnly(ctx: Ctx, trx: Trx, file: NewFile, chunks: AsyncIterable<Buffer>): Promise<Content> {
  const reader = new Reader(ctx, await usedBytes(trx, file.workspaceId))
  const bytes = reader.read(chunks)
  while (!(await bytes.next()).done);
  const content = await reader.content()
  await insertUploading(trx, file)
  await setContent(trx, file, content)
  return content
}
