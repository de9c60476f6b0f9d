import { alternativesOf } from './example.ts'
import { escapeHtml, renderInline } from './markdown.ts'
import type { Schema } from './openapi.ts'

const MAX_DEPTH = 3

/** `string or null`, `array of integer`, `` `LOW`, `HIGH` `` */
export function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map(value => `\`${String(value)}\``).join(', ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' or ')
  const types = [schema.type ?? (schema.properties || schema.allOf ? 'object' : 'any value')].flat()
  return types.map(type => nameOf(type, schema)).join(' or ')
}

function nameOf(type: string, { format, items }: Schema): string {
  if (type === 'array' && items) return `array of ${typeOf(items)}`
  return type === 'string' && format ? `string (${format})` : type
}

/** The limits of a value, in words. */
function limitsOf(schema: Schema): string[] {
  const range = (from: number | undefined, to: number | undefined, unit: string) => {
    if (to !== undefined) return [`${from === undefined ? 'At most' : `${from} to`} ${to}${unit}.`]
    return from === undefined ? [] : [`At least ${from}${unit}.`]
  }
  return [
    ...range(schema.minLength || undefined, schema.maxLength, ' characters'),
    ...range(schema.minItems || undefined, schema.maxItems, ' items'),
    ...range(schema.minimum, schema.maximum, ''),
    ...(schema.default === undefined ? [] : [`Default: \`${JSON.stringify(schema.default)}\`.`])
  ]
}

export const describe = (schema: Schema, description = schema.description): string =>
  renderInline([description, ...limitsOf(schema)].filter(Boolean).join(' '))

interface Row {
  name: string
  schema: Schema
  isRequired: boolean
}

/** The fields of an object, and of the objects in it: `links[].url`. */
function rowsOf(schema: Schema, prefix = '', depth = 0): Row[] {
  const parts = schema.allOf ?? [schema]
  return parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([key, field]) => {
      const name = `${prefix}${key}`
      const row = { name, schema: field, isRequired: required.includes(key) }
      if (depth >= MAX_DEPTH) return [row]
      return [row, ...insideOf(field).flatMap(([suffix, inside]) => rowsOf(inside, `${name}${suffix}.`, depth + 1))]
    })
  )
}

/** The objects in a value, with what is written after its name. */
function insideOf(schema: Schema): Array<[string, Schema]> {
  if (schema.items) return insideOf(schema.items).map(([suffix, inside]) => [`[]${suffix}`, inside])
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) return alternatives.flatMap(insideOf).slice(0, 1)
  return schema.properties || schema.allOf ? [['', schema]] : []
}

export function tableOf(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const body = rows.map(cells => line(cells, 'td')).join('\n')
  return `<table>\n<thead>${line(head, 'th')}</thead>\n<tbody>\n${body}\n</tbody></table>\n`
}

export const code = (text: string): string => `<code>${escapeHtml(text)}</code>`

/** The table of the fields of a value; empty for one that has none. */
export function fieldsOf(schema: Schema): string {
  const isList = [schema.type].flat().includes('array') && schema.items !== undefined
  const rows = isList ? insideOf(schema).flatMap(([suffix, inside]) => rowsOf(inside, `${suffix}.`)) : rowsOf(schema)
  if (rows.length === 0) return ''
  return tableOf(
    ['Field', 'Type', 'Description'],
    rows.map(({ name, schema, isRequired }) => [
      code(name) + (isRequired ? '' : ' <small>optional</small>'),
      renderInline(typeOf(schema)),
      describe(schema)
    ])
  )
}
