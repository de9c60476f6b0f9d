/**
 * Rich text: markdown in requests and answers, ProseMirror JSON in the database, converted without loss.
 * Pure functions; docs/rich-text.md says what they promise.
 */
export { addCriteria } from './add-criteria.ts'
export { criteria, criterionNumbers, tick } from './criteria.ts'
export type { Criterion } from './criteria.ts'
export { limits, minJsonBytes, RichTextError, tooMuchMarkup } from './limits.ts'
export { plainText, proseText } from './plain-text.ts'
export { schema } from './schema.ts'
export { parse, serialize } from './serialize.ts'
export { validate } from './validate.ts'
export type { Problem } from './validate.ts'

/** The JSON of a document: the output of `doc.toJSON()` and the input of `validate`. */
export interface DocJson {
  type: 'doc'
  attrs?: { source?: string | null }
  content: NodeJson[]
}

/** The JSON of a node within a document. */
export interface NodeJson {
  type: string
  attrs?: Record<string, unknown>
  content?: NodeJson[]
  marks?: Array<{ type: string; attrs?: Record<string, unknown> }>
  text?: string
}
