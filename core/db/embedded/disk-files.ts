import { fstatSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { PGlite } from '@electric-sql/pglite'
import { freeBytes } from '../../../lib/util/free-bytes.ts'
import { logReserveBytes } from './disk-space.ts'

const TABLES = '/pglite/data/base/'
const CHECK_AFTER_BYTES = 1024 * 1024
/** ENOSPC in Emscripten. */
const NO_SPACE = 51

type Options = Parameters<NodeFS['init']>[1]
type Module = PGlite['Module']

/** @see https://emscripten.org/docs/api_reference/Filesystem-API.html */
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
  path: string
  nfd: number
}

/**
 * Reserves the last bytes of the disk for the write-ahead log, without which PostgreSQL hangs: a statement that grows a
 * table into them fails as on a full disk. (A check before each transaction is not enough: one statement may write
 * more.)
 */
export class DiskFiles extends NodeFS {
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
    let bytesUntilCheck = 0
    operations.write = (stream, buffer, offset, length, position) => {
      bytesUntilCheck -= length
      if (isLow || bytesUntilCheck < 0) {
        isLow = freeBytes(this.rootDir) < reserveBytes
        bytesUntilCheck = CHECK_AFTER_BYTES
      }
      if (isLow && stream.path.startsWith(TABLES) && position + length > fstatSync(stream.nfd).size) {
        throw new files.ErrnoError(NO_SPACE)
      }
      return write(stream, buffer, offset, length, position)
    }
  }
}
