import { Type } from 'typebox'
import { invalid, tooLarge } from './errors.ts'
import {
  addCriteria,
  criteria,
  limits,
  parse,
  proseText,
  RichTextError,
  serialize,
  validate,
  type Criterion,
  type DocJson
} from './rich-text/index.ts'

/** The raw field of a body: ProseMirror JSON, as an object or as a string that holds it. */
export const RawRichText = Type.Unsafe<object | string | null>({
  type: ['object', 'string', 'null'],
  description: 'ProseMirror JSON, as an object or as a string holding it. It wins over the markdown field.'
})
/** The markdown field of a body. */
export const Markdown = Type.String({ description: `Markdown (CommonMark and GFM), at most ${limits.bytes} bytes.` })

/** A rich text as it is stored: both forms, so that a read converts nothing. */
export interface RichText {
  /** ProseMirror JSON; null for an empty text. */
  json: string | null
  markdown: string
  /** Checklist items. */
  criteria: { met: number; total: number }
  /** The beginning of its plain text outside headings and checklists. */
  prose: string
}
type Doc = ReturnType<typeof parse>

/** Characters of prose that are kept: enough to tell whether a text says something. */
const MAX_PROSE = 2_000

const EMPTY: RichText = { json: null, markdown: '', criteria: { met: 0, total: 0 }, prose: '' }

/** What is stored of a document. */
export function storedText(doc: Doc, markdown = serialize(doc)): RichText {
  if (markdown === '') return EMPTY
  const items = criteria(doc)
  return {
    json: JSON.stringify(doc.toJSON()),
    markdown,
    criteria: { met: items.filter(item => item.met).length, total: items.length },
    prose: proseText(doc).slice(0, MAX_PROSE)
  }
}

/**
 * A text with criteria added under its heading "Acceptance criteria".
 * @throws ApiError 400 when one says nothing, 413 when the text becomes too large
 */
export function withCriteria(text: RichText | undefined, given: readonly string[]): RichText {
  const { markdown } = text ?? EMPTY
  return asApiErrors(() => {
    const doc = parse(markdown)
    const added = addCriteria(doc, given)
    return added === doc ? (text ?? EMPTY) : storedText(added)
  })
}

/** The checklist items of a stored text. */
export function criteriaOf(json: DocJson | null): Criterion[] {
  const read = json === null ? undefined : validate(json)
  return read !== undefined && 'doc' in read ? criteria(read.doc) : []
}

/**
 * Reads a rich text from a body's raw or markdown field; the raw one wins.
 * @param name of the markdown field, for errors; the raw field's is given by `rawName`
 * @returns undefined when neither was sent
 * @throws ApiError 400 or 413
 */
export function readRichText(raw: unknown, markdown: string | null | undefined, rawName: string): RichText | undefined {
  return asApiErrors(() => {
    if (raw !== undefined) return raw === null ? EMPTY : storedText(docFrom(raw, rawName))
    if (markdown === undefined) return undefined
    return markdown === null ? EMPTY : storedText(parse(markdown), markdown)
  })
}

function asApiErrors<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error
    throw error.code === 'TOO_LARGE' ? tooLarge(error.message) : invalid(error.message)
  }
}

function docFrom(raw: unknown, name: string): Doc {
  const result = validate(raw)
  if ('doc' in result) return result.doc
  const [first] = result.problems
  throw invalid(
    `body.${name}${first?.path ? `${first.path.startsWith('[') ? '' : '.'}${first.path}` : ''} is not a valid document: ${first?.message ?? 'it does not fit the schema'}`,
    { field: name, problems: result.problems.slice(0, 10) }
  )
}
