import { fstatSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { PGlite } from '@electric-sql/pglite'
import { freeBytes, logReserveBytes } from './disk-space.ts'

/** Where PGlite has the tables and indexes of its database. */
const TABLES = '/pglite/data/base/'
/** Bytes that are written between two looks at the free space. */
const LOOK_AFTER_BYTES = 1024 * 1024
/** ENOSPC, as Emscripten numbers it. */
const NO_SPACE = 51

type Options = Parameters<NodeFS['init']>[1]
type Module = PGlite['Module']

/** What this file uses of Emscripten's files: https://emscripten.org/docs/api_reference/Filesystem-API.html */
interface NodeFiles {
  ErrnoError: new (errno: number) => Error
  filesystems: {
    NODEFS: {
      stream_ops: {
        write(stream: FileStream, buffer: Uint8Array, offset: number, length: number, position: number): number
      }
    }
  }
}
interface FileStream {
  /** In the files of PGlite. */
  path: string
  /** The descriptor of the operating system. */
  nfd: number
}

/**
 * The files of a database in a folder. Its tables do not grow into the last bytes of the disk: the statement fails, as
 * on a full disk. A statement may write more than was free when its transaction began, and what PostgreSQL cannot go
 * on without is space for the write-ahead log.
 */
export class DiskFiles extends NodeFS {
  /** Called by PGlite before it opens the database. */
  override async init(pg: PGlite, options: Options): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: Module) => this.#limitGrowth(module.FS)]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }

  #limitGrowth(files: NodeFiles): void {
    const { stream_ops: operations } = files.filesystems.NODEFS
    const { write } = operations
    const reserveBytes = logReserveBytes(this.rootDir)
    let isLow = true
    let bytesUntilLook = 0
    operations.write = (stream, buffer, offset, length, position) => {
      bytesUntilLook -= length
      if (isLow || bytesUntilLook < 0) {
        isLow = freeBytes(this.rootDir) < reserveBytes
        bytesUntilLook = LOOK_AFTER_BYTES
      }
      if (isLow && stream.path.startsWith(TABLES) && position + length > fstatSync(stream.nfd).size) {
        throw new files.ErrnoError(NO_SPACE)
      }
      return write(stream, buffer, offset, length, position)
    }
  }
}
