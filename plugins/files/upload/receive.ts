import { createHash } from 'node:crypto'
import { problem, type Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { newId } from '../../../core/api/database/queries.ts'
import { HEAD_BYTES, inspect } from '../content/inspection.ts'
import { storedName, urlNameOf } from '../content/names.ts'
import type { Ctx, FileKey } from '../context.ts'
import type { StoreName } from '../contract.ts'
import { insertUploading, removeUploading, type Content } from '../queries/files.ts'
import { usedBytes } from '../queries/usage.ts'
import { stores } from '../stores/stores.ts'
import type { SentFile } from './body.ts'
import { fileTooLarge, untilStalled, workspaceFull } from './limits.ts'

/** A file whose bytes are stored, and which is not published. Two uploads are equal if their JSON is. */
export class ReceivedFile {
  readonly key: FileKey
  readonly name: string
  readonly store: StoreName
  readonly content: Content

  constructor(key: FileKey, name: string, store: StoreName, content: Content) {
    this.key = key
    this.name = name
    this.store = store
    this.content = content
  }

  /** For the fingerprint of an `Idempotency-Key`. */
  toJSON(): object {
    return { name: this.name, sha256: Buffer.from(this.content.sha256).toString('hex') }
  }
}

const storageFull = problem(503, 'STORAGE_FULL')
const FULL_DISK = ['ENOSPC', 'EDQUOT']

/**
 * In short transactions. Nothing of it can be read until it is published.
 * @throws 408, 413, 503; then nothing of it is left
 */
export const receiveFile = (
  ctx: Ctx,
  { workspaceId, accountId }: Principal,
  { name, ...sent }: SentFile
): Promise<ReceivedFile> => storeFile(ctx, newFile(ctx, { workspaceId, id: newId() }, name ?? '', accountId), sent)

export function newFile(ctx: Ctx, key: FileKey, sentName: string, createdById: Id) {
  const name = storedName(sentName)
  return { ...key, store: ctx.get(stores).current, name, urlName: urlNameOf(name), createdById, createdAt: ctx.now() }
}

/** Like `receiveFile`, for a file whose id is known. */
export async function storeFile(
  ctx: Ctx,
  file: ReturnType<typeof newFile>,
  sent: Pick<SentFile, 'chunks' | 'end'>
): Promise<ReceivedFile> {
  const { workspaceId, id, store, name } = file
  const key = { workspaceId, id }
  const reader = new Reader(ctx, await usedBytes(ctx.db, workspaceId))
  await ctx.transaction(trx => insertUploading(trx, file))
  try {
    await ctx.get(stores).get(store).write(key, reader.read(sent.chunks))
    await sent.end()
    return new ReceivedFile(key, name, store, await reader.content())
  } catch (error) {
    await discard(ctx, key, store)
    if (FULL_DISK.includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw storageFull('The file cannot be stored now, because the disk is full: an administrator must free space.')
    }
    throw error
  }
}

/** Removes an upload, unless it was published: its commit may have succeeded, although the answer to it was lost. */
export async function discard(ctx: Ctx, key: FileKey, store: StoreName): Promise<void> {
  // A row that stays, because the database or the store fails now, is removed by the daily job.
  try {
    await ctx.transaction(async trx => {
      if (await removeUploading(trx, key)) await ctx.get(stores).get(store).remove(key, trx)
    })
  } catch (err) {
    ctx.log.warn({ err, fileId: key.id }, 'an upload that was not completed is removed later')
  }
}

export class Reader {
  readonly #ctx: Ctx
  readonly #usedBytes: number
  readonly #digest = createHash('sha256')
  readonly #head: Buffer[] = []
  #headBytes = 0
  #bytes = 0

  constructor(ctx: Ctx, usedBytes: number) {
    this.#ctx = ctx
    this.#usedBytes = usedBytes
  }

  /** @throws 408, 413 */
  async *read(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { maxBytes, maxBytesPerWorkspace, uploadStallTimeoutMs } = this.#ctx.settings
    for await (const chunk of untilStalled(chunks, uploadStallTimeoutMs)) {
      this.#bytes += chunk.length
      if (this.#bytes > maxBytes) throw fileTooLarge(maxBytes)
      if (this.#usedBytes + this.#bytes > maxBytesPerWorkspace) throw workspaceFull(maxBytesPerWorkspace)
      this.#digest.update(chunk)
      const headPart = chunk.subarray(0, HEAD_BYTES - this.#headBytes)
      if (headPart.length > 0) this.#head.push(Buffer.from(headPart))
      this.#headBytes += headPart.length
      yield chunk
    }
  }

  async content(): Promise<Content> {
    const { mimeType, width, height } = await inspect(Buffer.concat(this.#head))
    return { bytes: this.#bytes, sha256: this.#digest.digest(), mimeType, width, height }
  }
}
