/**
 * Rich text: markdown in requests and answers, ProseMirror JSON in the database, converted without loss. Pure
 * functions; their guarantees are in docs/rich-text.md.
 */
export { addCriteria } from './criteria/add-criteria.ts'
export { criteria, criterionNumbers, tick } from './criteria/criteria.ts'
export type { Criterion } from './criteria/criteria.ts'
export { limits, minJsonBytes, RichTextError, tooMuchMarkup } from './limits.ts'
export { plainText, proseText } from './write/plain-text.ts'
export { proseBlocks } from './read/prose.ts'
export type { ProseBlock, ProseRun } from './read/prose.ts'
export { sourceParts } from './read/source-parts.ts'
export type { SourcePart } from './read/source-parts.ts'
export { schema } from './schema.ts'
export { parse, serialize } from './write/serialize.ts'
export { validate } from './validate.ts'
export type { Problem } from './validate.ts'
export type { DocJson, NodeJson } from './read/json.ts'
