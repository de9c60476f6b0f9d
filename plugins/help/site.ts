import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const decompress = promisify(brotliDecompress)

export interface SiteFile {
  type: string
  etag: string
  br: Buffer | undefined
  read(): Promise<Buffer>
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp'
}
/** No other name has a file: none leads out of the folder. */
const NAME = /^(?:[\w-]+\/)*[\w-]+\.(?<ending>[a-z]+)$/

/** A release has only the compressed form of most. @returns undefined if there is none */
export async function readSiteFile(folder: string, name: string): Promise<SiteFile | undefined> {
  const type = TYPES[NAME.exec(name)?.groups?.['ending'] ?? '']
  if (type === undefined) return undefined
  const [br, identity] = await Promise.all(
    [`${name}.br`, name].map(each => readFile(join(folder, each)).catch(() => undefined))
  )
  const stored = br ?? identity
  if (!stored) return undefined
  // Weak: it is the same for each encoding.
  const etag = `W/"${createHash('sha256').update(stored).digest('base64url').slice(0, 20)}"`
  return { type, etag, br, read: async () => identity ?? decompress(stored) }
}
