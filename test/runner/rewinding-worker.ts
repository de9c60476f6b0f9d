import { protocol, type PGlite } from '@electric-sql/pglite'
import { database } from '../../core/db/embedded/embedded-worker.ts'

/*
 * The embedded database for tests: closing it restores the state in which it was opened, in a thirtieth of the time of
 * opening another one. The state is its memory and its files, which are in memory, too.
 */

/** A file or folder of Emscripten's file system. */
interface Node {
  name: string
  parent: Node
  /** The next one of the same hash. */
  name_next?: Node
  /** A file's, with room to grow, or a folder's, by name. */
  contents?: Uint8Array | Record<string, Node>
  usedBytes: number
}
interface Files {
  /** By the hashes of their names. */
  nameTable: Array<Node | undefined>
  streams: Array<{ fd: number; position: number } | null | undefined>
}

/** All libraries that a session loads: one loaded after the copy would stay loaded, without its memory. */
const LIBRARIES = ['dict_snowball', 'pg_trgm', 'plpgsql', 'vector']
const BLOCK_BYTES = 1024 * 1024

/** @returns a function that restores the present state of the database; no statement may run at either time */
function remember({ Module }: PGlite): () => void {
  const files: Files = Module.FS
  const memory = usedMemory(Module.HEAPU8)
  const stack = Module.stackSave()
  const nameTable = [...files.nameTable]
  const nodes = nameTable.flatMap(first => {
    const chain: Array<() => void> = []
    for (let node = first; node; node = node.name_next) chain.push(rememberNode(node))
    return chain
  })
  const streams = files.streams.map(stream => stream && { stream, fd: stream.fd, position: stream.position })
  return () => {
    // The memory after it was unused, and is so again.
    Module.HEAPU8.set(memory)
    Module.stackRestore(stack)
    files.nameTable = [...nameTable]
    for (const restore of nodes) restore()
    files.streams = streams.map(open => open && Object.assign(open.stream, { fd: open.fd, position: open.position }))
  }
}

/** A copy of the memory without the unused end. */
function usedMemory(memory: Uint8Array): Uint8Array {
  const unused = Buffer.alloc(BLOCK_BYTES)
  let end = memory.length
  while (unused.equals(memory.subarray(end - BLOCK_BYTES, end))) end -= BLOCK_BYTES
  return memory.slice(0, end)
}

function rememberNode(node: Node): () => void {
  const { name, parent, name_next: next, contents, usedBytes } = node
  const place = { name, parent, name_next: next }
  if (contents === undefined) return () => Object.assign(node, place)
  if (!(contents instanceof Uint8Array)) {
    const entries = { ...contents }
    return () => Object.assign(node, place, { contents: { ...entries } })
  }
  const bytes = contents.slice(0, usedBytes)
  return () => {
    if (node.contents instanceof Uint8Array && node.contents.length === bytes.length) node.contents.set(bytes)
    else node.contents = bytes.slice()
    Object.assign(node, place, { usedBytes })
  }
}

// Synchronously: requests may already be waiting.
for (const name of LIBRARIES) database.execProtocolRawSync(protocol.serialize.query(`load '${name}'`))
const rewind = remember(database)
database.close = async () => rewind()
