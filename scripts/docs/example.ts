import type { Schema } from './openapi.ts'

const MAX_DEPTH = 6
const ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'
const OF_FORMAT: Record<string, string> = {
  'date-time': '2026-11-28T09:30:00.000Z',
  date: '2026-11-28',
  email: 'ada@example.org',
  uri: 'https://example.org/page'
}
/** Values that tell more than their type. */
const OF_NAME: Record<string, unknown> = {
  key: 'ENG-12',
  issueKey: 'ENG-12',
  fullname: 'Ada Lovelace',
  cursor: 'eyJ2IjoxfQ',
  nextCursor: 'eyJ2IjoxfQ'
}

/** The alternatives of a schema without null. */
export const alternativesOf = ({ anyOf, oneOf }: Schema): Schema[] =>
  (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null')

/** A value that a schema describes; the same for the same schema. */
export function exampleOf(schema: Schema, name = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const [first] = alternativesOf(schema)
  if (first) return exampleOf(first, name, depth)
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map(part => exampleOf(part, name, depth))) as unknown
  }
  const type = [schema.type].flat().find(each => each !== 'null')
  if (type === 'object' || schema.properties) return objectOf(schema, depth)
  if (type === 'array') return schema.items && depth < MAX_DEPTH ? [exampleOf(schema.items, name, depth + 1)] : []
  if (type === 'string') return stringOf(schema, name)
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, Math.min(1, schema.maximum ?? 1))
  return type === 'boolean' ? true : null
}

function objectOf({ properties = {} }: Schema, depth: number): object {
  if (depth >= MAX_DEPTH) return {}
  const entries = Object.entries(properties).filter(([, schema]) => schema.const !== undefined || !isNothing(schema))
  return Object.fromEntries(entries.map(([key, schema]) => [key, exampleOf(schema, key, depth + 1)]))
}

const isNothing = ({ type, enum: values }: Schema): boolean => type === 'null' || values?.length === 0

function stringOf({ format = '', pattern = '', minLength = 0 }: Schema, name: string): unknown {
  if (OF_FORMAT[format] !== undefined) return OF_FORMAT[format]
  if (OF_NAME[name] !== undefined) return OF_NAME[name]
  if (pattern.startsWith('^[0-9a-fA-F]{8}') || /(?:^i|I)d$/.test(name)) return ID
  if (/At$/.test(name)) return OF_FORMAT['date-time']
  return 'text'.padEnd(minLength, '…')
}
