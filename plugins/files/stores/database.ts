import { Turns } from '../../../core/api/database/queries.ts'
import type { Ctx } from '../context.ts'
import { findPart, insertPart, removeParts } from '../queries/parts.ts'
import { freeMemory } from './memory.ts'
import type { Store } from './store.ts'

export const PART_BYTES = 256 * 1024

/** Most connections stay free for other requests, and few copies are in memory. */
const MAX_WRITES = 4

/** Keeps each file as rows, which go with the file's row: backups and replicas need nothing else. */
export function databaseStore(ctx: Ctx): Store {
  const writes = new Turns(MAX_WRITES, { hasWaitLimit: false })
  return {
    async write(file, chunks, trx) {
      let n = 0
      for await (const data of partsOf(chunks)) {
        if (trx) await insertPart(trx, file, n, data)
        else await writes.take(() => ctx.transaction(trx => insertPart(trx, file, n, data)))
        n++
      }
    },
    async read(file, { start, end }, trx) {
      const db = trx ?? ctx.db
      const first = await findPart(db, file, Math.floor(start / PART_BYTES))
      return first && parts(first)

      async function* parts(part: Buffer): AsyncGenerator<Buffer> {
        for (let n = Math.floor(start / PART_BYTES); ; n++) {
          const at = n * PART_BYTES
          yield part.subarray(Math.max(0, start - at), end - at + 1)
          if (end < at + PART_BYTES) return
          const next = await findPart(db, file, n + 1)
          if (next === undefined) throw new Error('The file was removed while it was read.')
          part = next
        }
      }
    },
    async remove(file, trx) {
      if (trx) await removeParts(trx, file)
      else await ctx.transaction(trx => removeParts(trx, file))
    },
    async *list() {},
    // The rows go with the row of the file, and that with its workspace.
    async removeWorkspacesUnless() {}
  }
}

/** A part is valid until the next one is requested. */
async function* partsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const part = Buffer.allocUnsafeSlow(PART_BYTES)
  let filled = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(part, filled, at)
      at += copied
      filled += copied
      if (filled < PART_BYTES) continue
      yield part
      filled = 0
    }
    freeMemory(chunk)
  }
  if (filled > 0) yield part.subarray(0, filled)
}
