import type { Id } from '../../../core/api/database/types.ts'
import type { FileKey, Trx } from '../context.ts'

/** Bytes of a file, from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Keeps the bytes of files. What the files are, and who may read them, is in the table `file`. With `trx`, a store in
 * the database is used in that transaction only.
 */
export interface Store {
  /**
   * Stores all bytes; when it throws, or the process ends meanwhile, `remove` removes the stored part.
   * @param chunks each may be emptied once it is stored
   */
  write(file: FileKey, chunks: AsyncIterable<Buffer>, trx?: Trx): Promise<void>
  /**
   * @param range at least one byte
   * @returns undefined when the store does not have the file; the stream fails when it loses the file meanwhile
   */
  read(file: FileKey, range: ByteRange, trx?: Trx): Promise<AsyncIterable<Buffer> | undefined>
  /** Removes a file, also if only a part of it is stored. */
  remove(file: FileKey, trx?: Trx): Promise<void>
  /** All files of the store; for the database none, where each belongs to a row. */
  list(): AsyncIterable<FileKey>
  /** Removes the files of workspaces that there are no longer. @param isThere of a workspace's id */
  removeWorkspacesUnless(isThere: (workspaceId: Id) => Promise<boolean>): Promise<void>
}
