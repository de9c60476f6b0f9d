import type { Node } from 'prosemirror-model'

/**
 * The limits of one body: `bytes` of markdown in UTF-8, `jsonBytes` of the stored JSON, `depth` levels of nodes below
 * the document.
 */
export const limits = { bytes: 1024 * 1024, jsonBytes: 4 * 1024 * 1024, depth: 200 } as const

/** Maximum missing cells in the rows of all tables of a JSON document. In markdown, rows are filled up. */
export const MAX_MISSING_CELLS = 16_384

/** An invalid body, or one beyond `limits`; OVERLOADED: no time or memory is left to convert it. */
export class RichTextError extends Error {
  readonly code: 'TOO_LARGE' | 'TOO_DEEP' | 'EMPTY_CRITERION' | 'INVALID' | 'OVERLOADED'
  readonly statusCode: 400 | 413 | 503
  readonly details: object

  constructor(code: RichTextError['code'], message: string, details: object = {}) {
    super(message)
    this.name = 'RichTextError'
    this.code = code
    this.statusCode = code === 'TOO_LARGE' ? 413 : code === 'OVERLOADED' ? 503 : 400
    this.details = details
  }
}
export const invalidText = (message: string, details: object = {}) => new RichTextError('INVALID', message, details)

/** Minimum bytes of JSON of a node and of a mark: `{"type":"text"}` and `{"type":"em"}`. */
const [MIN_NODE_BYTES, MIN_MARK_BYTES] = [15, 13]

/** Minimum bytes of JSON of a node, without its content. */
export const minJsonBytes = ({ text, marks }: Node): number =>
  MIN_NODE_BYTES + (text?.length ?? 0) + marks.length * MIN_MARK_BYTES

export const tooMuchMarkup = () =>
  new RichTextError(
    'TOO_LARGE',
    `The text is larger than ${limits.jsonBytes} bytes of JSON, the form in which it is stored: it has too much ` +
      'markup. Shorten it, or attach the long part as a link.'
  )

export const tooDeep = () =>
  new RichTextError('TOO_DEEP', `The document is nested deeper than ${limits.depth} levels. Flatten it.`)

const encoder = new TextEncoder()

/** @throws TOO_LARGE when `text` exceeds the limit of a body */
export function checkSize(text: string, what: string) {
  // A UTF-16 unit is at most 3 bytes of UTF-8, so most texts need not be encoded.
  if (text.length * 3 <= limits.bytes) return
  if (text.length <= limits.bytes && encoder.encode(text).length <= limits.bytes) return
  throw new RichTextError(
    'TOO_LARGE',
    `${what} is larger than ${limits.bytes} bytes. Shorten it, or attach the long part as a link.`
  )
}
