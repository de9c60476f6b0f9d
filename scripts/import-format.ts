import type { TSchema } from 'typebox'
import { Closed } from '../core/api/schemas.ts'
import type { RecordKind } from '../plugins/transfer/contract.ts'
import { sortKinds } from '../plugins/transfer/format.ts'

/** The part of JSON Schema that the fields of records use. */
interface FieldSchema {
  title?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: FieldSchema[]
  items?: FieldSchema
  properties?: Record<string, FieldSchema>
  required?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const number = (n: number): string => n.toLocaleString('en')

/** The type of a field in a few words. */
function typeOf(schema: FieldSchema): string {
  if (schema.title !== undefined) return schema.title
  if (schema.enum) return schema.enum.map(value => `\`${String(value)}\``).join(', ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  switch (schema.type) {
    case 'array': {
      const most = schema.maxItems === undefined ? '' : `, at most ${number(schema.maxItems)}`
      return `list of ${typeOf(schema.items ?? {})}${most}`
    }
    case 'object':
      return `\`{${namesOf(schema).join(', ')}}\``
    case 'string':
      return schema.maxLength === undefined
        ? nameOfType('string')
        : `text of at most ${number(schema.maxLength)} characters`
    case 'integer':
    case 'number': {
      const { minimum, maximum } = schema
      if (minimum === undefined || maximum === undefined) return schema.type
      return `${schema.type} from ${number(minimum)} to ${number(maximum)}`
    }
    default:
      return [schema.type ?? []].flat().map(nameOfType).join(' or ')
  }
}

const nameOfType = (type: string): string => (type === 'string' ? 'text' : type)
const namesOf = ({ properties = {}, required = [] }: FieldSchema): string[] =>
  Object.keys(properties).map(name => (required.includes(name) ? name : `${name}?`))

/** The fields of a record, with those of objects and lists of objects below. */
function rowsOf(schema: FieldSchema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const shown = `${prefix}${name}`
    const optional = schema.required?.includes(name) ? '' : '?'
    const inner = field.properties ? field : field.items?.properties ? field.items : undefined
    return [
      `| \`${shown}${optional}\` | ${cell(typeOf(field))} | ${cell(field.description ?? '')} |`,
      ...(inner ? rowsOf(inner, `${shown}.`) : [])
    ]
  })
}

/** The kinds of records, in the order of their lines, each with its summary and fields. */
export const importFormat = (kinds: readonly RecordKind[]): string =>
  sortKinds(kinds)
    .map(({ kind, summary, fields }) => {
      const schema: TSchema & FieldSchema = Closed(fields)
      return `## \`${kind}\`\n${summary}\n\n| Field | Type | |\n| --- | --- | --- |\n${rowsOf(schema).join('\n')}`
    })
    .join('\n\n')
