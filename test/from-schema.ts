import fc from 'fast-check'
import { forceLine } from '../core/naming/line.ts'

/** The part of JSON Schema that the API's schemas use. */
export interface JsonSchema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  patternProperties?: Record<string, JsonSchema>
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  'x-line'?: boolean
  $ref?: string
}

export interface Sources {
  /** Values for a text of this name, where a generated text would never be valid: an id, a key, a document. */
  text(name: string): fc.Arbitrary<unknown> | undefined
  /** Resolves a `$ref`. */
  resolve(ref: string): JsonSchema
  /** Objects have their required fields and at most one more: the more fields, the rarer all of them are valid. */
  fewFields?: boolean
}

const MAX_LIST_LENGTH = 3

/** Values that `schema` accepts; `name` is their field. */
export function accepted(schema: JsonSchema, sources: Sources, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    return fc.constant(schema.$ref).chain(ref => accepted(sources.resolve(ref), sources, name))
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(choice => accepted(choice, sources, name)))
  if (schema.allOf) {
    return fc
      .tuple(...schema.allOf.map(part => accepted(part, sources, name)))
      .map(parts => Object.assign({}, ...parts) as unknown)
  }
  if (Array.isArray(schema.type)) {
    return sources.text(name) ?? fc.oneof(...schema.type.map(type => accepted({ ...schema, type }, sources, name)))
  }
  switch (schema.type ?? (schema.properties && 'object')) {
    case 'object':
      return object(schema, sources)
    case 'array': {
      const { minItems = 0, maxItems = Infinity } = schema
      return fc.array(accepted(schema.items ?? {}, sources, name), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, MAX_LIST_LENGTH))
      })
    }
    case 'string':
      return sources.text(name) ?? text(schema)
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -1000, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1)
      })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function object(
  { properties = {}, required = [], additionalProperties, patternProperties = {} }: JsonSchema,
  sources: Sources
): fc.Arbitrary<object> {
  const withFields = (names: readonly string[], requiredKeys: string[]) =>
    fc.record(Object.fromEntries(names.map(name => [name, accepted(properties[name]!, sources, name)])), {
      requiredKeys
    })
  const all = Object.keys(properties)
  const optional = all.filter(name => !required.includes(name))
  const few = fc.constantFrom(required, ...optional.map(name => [...required, name]))
  const named = sources.fewFields ? few.chain(names => withFields(names, names)) : withFields(all, required)
  const others = [
    ...(typeof additionalProperties === 'object'
      ? [fc.dictionary(fc.string(), accepted(additionalProperties, sources), { maxKeys: 2 })]
      : []),
    ...Object.entries(patternProperties).map(([pattern, schema]) =>
      fc.dictionary(fc.stringMatching(new RegExp(pattern)), accepted(schema, sources), { maxKeys: 2 })
    )
  ]
  return fc.tuple(named, ...others).map(parts => Object.assign({}, ...parts) as object)
}

const texts = new Map<string, fc.Arbitrary<string>>()

/** Cached by kind: making a pattern takes milliseconds, and a chain needs it for each value. */
function text(schema: JsonSchema): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 60, 'x-line': isLine = false } = schema
  const kind = JSON.stringify([format, pattern, minLength, maxLength, isLine])
  const text = texts.get(kind) ?? makeText(format, pattern, minLength, maxLength)
  const arbitrary = isLine ? text.map(any => forceLine(any).slice(0, maxLength).trim() || 'Line') : text
  texts.set(kind, arbitrary)
  return arbitrary
}

/** Like `fc.webUrl`, which takes a second to be made. */
const url = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.array(fc.string({ unit: 'grapheme' }).map(encodeURIComponent), { maxLength: 3 })
  )
  .map(([scheme, ...place]) => `${scheme}://${place.flat().join('/')}`)

function makeText(
  format: string | undefined,
  pattern: string | undefined,
  minLength: number,
  maxLength: number
): fc.Arbitrary<string> {
  const time = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map(date => date.toISOString())
  switch (format) {
    case 'uuid':
      return fc.uuid()
    case 'email':
      return fc.emailAddress()
    case 'uri':
    case 'url':
      return url
    case 'date':
      return time.map(iso => iso.slice(0, 10))
    case 'date-time':
      return time
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  const longest = Math.max(minLength, Math.min(maxLength, 60))
  return fc.oneof(
    fc
      .string({ unit: 'grapheme', minLength, maxLength: longest })
      .map(string => Array.from(string).slice(0, longest).join('')),
    fc
      .constantFrom(
        '- [ ] tick me',
        '# Heading\n\n| a | b |\n|---|---|\n| `c` | **d** |',
        '<b>raw</b> &amp; 50% "\'\\',
        'me',
        '2026-11-20'
      )
      .filter(string => string.length <= maxLength)
  )
}

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

/** Values that few fields accept and that have broken servers before. */
export const hostile: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  2 ** 31,
  2 ** 53,
  '',
  ' ',
  'null',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '%00',
  '../..',
  "'; select 1; --",
  '9'.repeat(400),
  'x'.repeat(100_000),
  '> '.repeat(10_000),
  '['.repeat(10_000),
  '**a '.repeat(5_000),
  [],
  {},
  [null],
  [[]],
  deep(500),
  JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": {}}}'),
  { type: 'doc', content: [{ type: 'evil' }] },
  '{"type":"doc","content":[{"type":"text","text":""}]}',
  { type: 'doc', content: [{ type: 'paragraph', content: deep(300) }] },
  { filterType: 'IS', value: ['\0'] },
  { filterType: 'EVIL' },
  { filterType: 'IS', value: [deep(50)] },
  '00000000-0000-0000-0000-000000000000',
  'ENG-0',
  'ENG-99999999999999999999',
  '0001-01-01',
  '+275760-09-13T00:00:00.000Z'
)

/** An accepted value with one thing wrong somewhere inside: replaced, removed, or added. */
export function sabotaged(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .record({
      value: good,
      place: fc.nat(),
      how: fc.constantFrom('replace', 'replace', 'remove', 'add'),
      evil: hostile
    })
    .map(({ value, place, how, evil }) => {
      const places = placesIn(value)
      const path = places[place % places.length] ?? []
      return changed(value, path, how, evil)
    })
}

type Path = readonly (string | number)[]

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesIn(inner, [...path, Array.isArray(value) ? Number(key) : key])
    )
  ]
}

function changed(value: unknown, [key, ...rest]: Path, how: string, evil: unknown): unknown {
  if (key === undefined) {
    return how === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value, unknownField: evil }
      : evil
  }
  if (Array.isArray(value)) {
    return how === 'remove' && rest.length === 0
      ? value.toSpliced(Number(key), 1)
      : value.with(Number(key), changed(value[Number(key)], rest, how, evil))
  }
  const { [key]: inner, ...others } = value as Record<string | number, unknown>
  return how === 'remove' && rest.length === 0 ? others : { ...others, [key]: changed(inner, rest, how, evil) }
}
