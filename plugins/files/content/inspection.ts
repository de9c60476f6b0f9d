import { isUtf8 } from 'node:buffer'
import { isShownAsImage } from './types.ts'

/** Its type and its size in pixels are found from them. */
export const HEAD_BYTES = 128 * 1024

const MODEL_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** In pixels: models refuse larger images. */
export const MAX_MODEL_SIDE = 8_000
/** True for an image that models see. One of unknown size may be too large for them. */
export const isSeenByModels = ({ mimeType, width, height }: Inspection): boolean =>
  MODEL_TYPES.has(mimeType) && [width, height].every(side => side !== null && side <= MAX_MODEL_SIDE)

const UNKNOWN_TYPE = 'application/octet-stream'
/** As `file-type` calls forms of a type of the list above. */
const SAME_TYPES: Record<string, string> = { 'image/apng': 'image/png' }

export interface Inspection {
  mimeType: string
  width: number | null
  height: number | null
}

/** The type that a client sends is not trusted. @param head its first bytes */
export async function inspect(head: Buffer): Promise<Inspection> {
  const mimeType = await typeOf(head)
  return { mimeType, ...(await sizeOf(head, mimeType)) }
}

async function typeOf(head: Buffer): Promise<string> {
  // Loaded with the first upload: a start need not wait for it.
  const { fileTypeFromBuffer } = await import('file-type')
  const known = await fileTypeFromBuffer(head).catch(() => undefined)
  if (known) return SAME_TYPES[known.mime] ?? known.mime
  return isText(head) ? 'text/plain' : UNKNOWN_TYPE
}

/** True for UTF-8 without NUL; the end may be half of a character. */
export const isText = (head: Buffer): boolean =>
  !head.includes(0) && [0, 1, 2, 3].some(cut => isUtf8(head.subarray(0, Math.max(0, head.length - cut))))

const NO_SIZE = { width: null, height: null }
const MAX_PIXELS = 2 ** 31 - 1

async function sizeOf(head: Buffer, mimeType: string): Promise<Omit<Inspection, 'mimeType'>> {
  if (!isShownAsImage(mimeType)) return NO_SIZE
  const { imageSize } = await import('image-size')
  try {
    const { width, height, orientation = 1 } = imageSize(head)
    if (![width, height].every(side => Number.isInteger(side) && side > 0 && side <= MAX_PIXELS)) return NO_SIZE
    // From 5 on, browsers turn the image by a quarter.
    return orientation >= 5 ? { width: height, height: width } : { width, height }
  } catch {
    return NO_SIZE
  }
}
