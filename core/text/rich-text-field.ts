import { sql, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import { limits } from '../../lib/rich-text/index.ts'

/** The raw field of a body: ProseMirror JSON, as an object or as a string that holds it. */
export const RawRichText = Type.Unsafe<object | string | null>({
  type: ['object', 'string', 'null'],
  description:
    'ProseMirror JSON, as an object or as a string holding it; at most ' +
    `${limits.jsonBytes} bytes as it is stored. It wins over the markdown field.`
})
export const Markdown = Type.String({
  description:
    `Markdown (CommonMark and GFM), at most ${limits.bytes} bytes, and at most ${limits.jsonBytes} bytes of the JSON ` +
    'that is stored of it: 413 says which.'
})

/** SQL: a rich text's JSON, unless its markdown converts to the same document. */
export const unlikeMarkdown = (json: string, markdown: string): RawBuilder<object | null> =>
  sql`case when ${sql.ref(json)}->'attrs'->>'source' is distinct from ${sql.ref(markdown)} then ${sql.ref(json)} end`
