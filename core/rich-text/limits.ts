/** The bounds of one body: `bytes` of markdown in UTF-8, `depth` levels of nodes below the document. */
export const limits = { bytes: 1024 * 1024, depth: 200 } as const

/** A body beyond `limits`. `statusCode` is what HTTP answers with: 413 for TOO_LARGE, 400 for TOO_DEEP. */
export class RichTextError extends Error {
  readonly code: 'TOO_LARGE' | 'TOO_DEEP' | 'EMPTY_CRITERION'
  readonly statusCode: 413 | 400

  constructor(code: RichTextError['code'], message: string) {
    super(message)
    this.name = 'RichTextError'
    this.code = code
    this.statusCode = code === 'TOO_LARGE' ? 413 : 400
  }
}

/** Throws TOO_LARGE when `text` is longer than a body may be. */
export function checkSize(text: string, what: string) {
  // A UTF-16 unit is at most 3 bytes of UTF-8, so most texts need no counting.
  if (text.length * 3 <= limits.bytes || Buffer.byteLength(text) <= limits.bytes) return
  throw new RichTextError(
    'TOO_LARGE',
    `${what} is larger than ${limits.bytes} bytes. Shorten it, or attach the long part as a link.`
  )
}
