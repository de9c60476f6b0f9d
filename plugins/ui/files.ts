import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export const digest = (...parts: ReadonlyArray<string | Uint8Array>): string =>
  parts
    .reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256'))
    .digest('base64url')
    .slice(0, 20)
