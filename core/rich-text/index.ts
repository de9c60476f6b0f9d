/**
 * Rich text: markdown in requests and answers, ProseMirror JSON in the database, converted without loss.
 * Pure functions; docs/rich-text.md says what they promise.
 */
export { addCriteria } from './add-criteria.ts'
export { criteria, criterionNumbers, tick } from './criteria.ts'
export type { Criterion } from './criteria.ts'
export { limits, minJsonBytes, RichTextError, tooMuchMarkup } from './limits.ts'
export { plainText, proseText } from './plain-text.ts'
export { proseBlocks } from './prose.ts'
export type { ProseBlock, ProseRun } from './prose.ts'
export { sourceParts } from './source-parts.ts'
export type { SourcePart } from './source-parts.ts'
export { schema } from './schema.ts'
export { parse, serialize } from './serialize.ts'
export { validate } from './validate.ts'
export type { Problem } from './validate.ts'
export type { DocJson, NodeJson } from './json.ts'
