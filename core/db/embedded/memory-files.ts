import { MemoryFS } from '@electric-sql/pglite'

const PGDATA = '/pglite/data'
const BLOCK_BYTES = 512
const latin1 = new TextDecoder('latin1')

/**
 * Begins with a copy of a dump. PGlite's own loading (`loadDataDir`) looks up each path component several times and
 * copies each file twice, which takes a third of the time of a start.
 */
export class MemoryFiles extends MemoryFS {
  readonly #dump: Blob

  constructor(dump: Blob) {
    super()
    this.#dump = dump
  }

  override async initialSyncFs(): Promise<void> {
    if (!this.pg) throw new Error('PGlite has not initialized its files.')
    const { FS } = this.pg.Module
    FS.mkdirTree(PGDATA)
    for (const { path, isFolder, bytes } of entriesOf(new Uint8Array(await this.#dump.arrayBuffer()))) {
      const folder = PGDATA + path.slice(0, path.lastIndexOf('/'))
      if (isFolder) FS.mkdirTree(PGDATA + path)
      else FS.createDataFile(folder, path.slice(path.lastIndexOf('/') + 1), bytes, true, true, true)
    }
  }
}

interface Entry {
  path: string
  isFolder: boolean
  bytes: Uint8Array
}

/** Folders come before their files. */
function* entriesOf(tar: Uint8Array): Generator<Entry> {
  let offset = 0
  const field = (start: number, length: number) =>
    latin1.decode(tar.subarray(offset + start, offset + start + length)).split('\0', 1)[0]!
  while (offset < tar.length && tar[offset] !== 0) {
    const size = parseInt(field(124, 12), 8)
    const start = offset + BLOCK_BYTES
    yield {
      path: field(0, 100),
      isFolder: field(156, 1) === '5',
      bytes: tar.subarray(start, start + size)
    }
    offset = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
  }
}
