import type { TSchema } from 'typebox'

/*
 * The part of JSON Schema that every client accepts, with any model. Some convert the schemas of tools for a model, and
 * an unknown keyword fails the whole request, with all tools of all servers:
 * - OpenAI, strict mode: no `default`, `minLength`, `maxLength`; each object closed, with its properties.
 *   https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 * - Gemini: one `type`, no empty `properties`, each list with its `items`, nothing beside an `anyOf`.
 *   https://ai.google.dev/api/caching#Schema, https://github.com/aoci-spec/aoci-code/issues/61,
 *   https://github.com/brainlid/langchain/pull/599
 * - Claude, strict: no `minimum`, `maximum`, `minLength`, `maxLength`; each object closed.
 *   https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 * The server validates the omitted keywords all the same.
 */

export const CLIENT_KEYWORDS = [
  'type',
  'description',
  'enum',
  'items',
  'anyOf',
  'required',
  'properties',
  'additionalProperties'
] as const

interface Schema {
  enum?: readonly unknown[]
  items?: Schema
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  [keyword: string]: unknown
}

export const forClients = (input: TSchema): object => reduced(input as Schema)

function reduced(schema: Schema): Schema {
  const { enum: words, items, anyOf, properties } = schema
  // Clients refuse a description beside `anyOf`.
  const keywords = CLIENT_KEYWORDS.filter(keyword => keyword in schema && !(anyOf && keyword === 'description'))
  return {
    ...(words && { type: typeof words[0] }),
    ...Object.fromEntries(keywords.map(keyword => [keyword, schema[keyword]])),
    ...(items && { items: reduced(items) }),
    ...(anyOf && { anyOf: anyOf.map(reduced) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, reduced(property)]))
    })
  }
}
