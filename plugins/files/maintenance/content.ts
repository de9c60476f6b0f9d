import { createHash } from 'node:crypto'
import type { Ctx, FileKey, Trx } from '../context.ts'
import type { StoreName } from '../contract.ts'
import { stores } from '../stores/stores.ts'

/** `damaged`: they differ from the uploaded ones. */
export type Condition = 'whole' | 'damaged' | 'missing'

export async function readWhole(
  ctx: Ctx,
  { store, ...file }: FileKey & { store: StoreName; bytes: number; sha256: Uint8Array },
  use: (chunks: AsyncIterable<Buffer>) => Promise<void>,
  trx?: Trx
): Promise<Condition> {
  const range = { start: 0, end: file.bytes - 1 }
  const content = file.bytes === 0 ? noBytes() : await ctx.get(stores).get(store).read(file, range, trx)
  if (content === undefined) return 'missing'
  const digest = createHash('sha256')
  await use(digested(content, digest))
  return digest.digest().equals(file.sha256) ? 'whole' : 'damaged'
}

async function* digested(chunks: AsyncIterable<Buffer>, digest: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    digest.update(chunk)
    yield chunk
  }
}

async function* noBytes(): AsyncGenerator<Buffer> {}
