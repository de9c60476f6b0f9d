import type { Id } from '../../../core/api/database/types.ts'
import type { FileKey, Trx } from '../context.ts'

/** Both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** With `trx`, a store in the database is used in that transaction only. */
export interface Store {
  /**
   * When it throws, or the process ends meanwhile, `remove` removes the stored part.
   * @param chunks each may be emptied once it is stored
   */
  write(file: FileKey, chunks: AsyncIterable<Buffer>, trx?: Trx): Promise<void>
  /**
   * @param range at least one byte
   * @returns undefined when the store does not have the file; the stream fails when it loses the file meanwhile
   */
  read(file: FileKey, range: ByteRange, trx?: Trx): Promise<AsyncIterable<Buffer> | undefined>
  /** Also if only a part of it is stored. */
  remove(file: FileKey, trx?: Trx): Promise<void>
  /** For the database none: each belongs to a row. */
  list(): AsyncIterable<FileKey>
  removeWorkspacesUnless(isThere: (workspaceId: Id) => Promise<boolean>): Promise<void>
}
