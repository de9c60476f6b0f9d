import { criteria } from '../criteria/criteria.ts'
import { limits, minJsonBytes, tooMuchMarkup } from '../limits.ts'
import { proseText } from '../write/plain-text.ts'
import { parse, serialize } from '../write/serialize.ts'

/** A rich text as stored: both forms, so that reads convert nothing. */
export interface RichText {
  /** ProseMirror JSON; null for an empty text. */
  json: string | null
  markdown: string
  criteria: { met: number; total: number; items: ReadonlyArray<{ text: string; met: boolean }> }
  /** The beginning of its plain text outside headings and checklists. */
  prose: string
}
export type Doc = ReturnType<typeof parse>

/** Characters of prose that are stored: enough to decide whether a text has content. */
const MAX_PROSE = 2_000

export const EMPTY: RichText = { json: null, markdown: '', criteria: { met: 0, total: 0, items: [] }, prose: '' }

/** @throws RichTextError TOO_LARGE */
export function storedText(doc: Doc, markdown = serialize(doc)): RichText {
  if (markdown === '') return EMPTY
  assertJsonMayFit(doc)
  const json = JSON.stringify(doc.toJSON())
  if (Buffer.byteLength(json) > limits.jsonBytes) throw tooMuchMarkup()
  const items = criteria(doc)
  return {
    json,
    markdown,
    criteria: {
      met: items.filter(item => item.met).length,
      total: items.length,
      items: items.map(({ text, met }) => ({ text, met }))
    },
    prose: proseText(doc).slice(0, MAX_PROSE)
  }
}

/** @throws RichTextError TOO_LARGE */
export const storedMarkdown = (markdown: string): RichText => storedText(parse(markdown, limits.jsonBytes), markdown)

/** Checked before the JSON of an oversized document is allocated. @throws RichTextError TOO_LARGE */
function assertJsonMayFit(doc: Doc): void {
  let least = 0
  doc.descendants(node => {
    least += minJsonBytes(node)
    if (least > limits.jsonBytes) throw tooMuchMarkup()
  })
}
