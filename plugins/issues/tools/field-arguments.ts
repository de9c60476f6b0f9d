import { Type, type TSchema } from 'typebox'
import { abbreviate } from '../../../core/api/errors.ts'
import { DAY_FORMS, dayOfWords } from '../../../lib/util/day-words.ts'
import { ToolError, type Reading } from '../../mcp/contract.ts'
import type { Field, ValueField } from '../fields/field.ts'
import { accounts } from '../fields/fields.ts'

export const argument = (description: string, reading: Reading = {}) =>
  Type.Optional(Type.String({ description, ...reading }))
export const names = (description: string, reading: Reading = {}) =>
  Type.Optional(Type.Array(Type.String(), { description, ...reading }))

type Use = 'create' | 'update' | 'list' | 'next'

const nameOf = ({ key, argument }: Field): string => argument?.name ?? key

export const fieldRestNames = (fields: readonly Field[]): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ key, argument }) => (argument?.name === undefined ? [] : [[key, argument.name]]))
  )

export function fieldArguments(fields: readonly Field[], of: Use): Record<string, TSchema> {
  return Object.fromEntries(
    fields.flatMap(field => {
      const description = field.argument?.[of]
      return description === undefined ? [] : [[nameOf(field), fieldArgument(field, of, description)]]
    })
  )
}

function fieldArgument(field: Field, of: Use, description: string): TSchema {
  // A change replaces a list or adds to it: `label` may mean both.
  if (field.kind === 'links') {
    return names(description, { reads: 'name', aliases: of === 'update' ? [] : field.filters })
  }
  const words = field.kind === 'value' ? field.words : undefined
  const clearable = of === 'update' && (field.isNullable || words?.[0] === 'none')
  const aliases = field.argument?.name === undefined ? [] : [field.key]
  const [filter] = field.filters
  const reading: Reading = {
    ...(clearable && { clearable }),
    ...(aliases.length > 0 && { aliases }),
    ...(of === 'list' && filter !== undefined && { instead: `filter takes several, as ${filter}:a,b` })
  }
  if (words) return Type.Optional(Type.Enum([...words], { description, numbered: true, ...reading }))
  if (field.kind === 'value') return argument(description, { reads: 'name', ...reading })
  const reads = field.source === 'issue' ? 'task' : field.source === accounts ? 'person' : 'name'
  return argument(description, { reads, ...reading })
}

/**
 * Fields for REST from the arguments: `none` is no value.
 * @param noLinks the value of a list for `none`
 * @throws ToolError for a text that is no day or number
 */
export function givenFields(
  fields: readonly Field[],
  args: Readonly<Record<string, unknown>>,
  now: () => Date,
  noLinks: readonly [] | null = []
): Record<string, unknown> {
  const sent = fields.filter(field => field.argument !== undefined && args[nameOf(field)] !== undefined)
  return Object.fromEntries(
    sent.map(field => {
      const value = args[nameOf(field)]
      if (field.kind === 'links') return [field.key, isNoLinks(value) ? noLinks : value]
      if (field.isNullable && isNone(value, field)) return [field.key, null]
      return [field.key, field.kind === 'value' ? valueOf(field, String(value), now) : value]
    })
  )
}

const NONE = ['none']
const NOBODY = [...NONE, 'nobody', 'unassigned']
const isWordOf = (words: readonly string[], value: unknown) =>
  typeof value === 'string' && words.includes(value.trim().toLowerCase())
const isNone = (value: unknown, field: Field) =>
  isWordOf(field.kind === 'reference' && field.source === accounts ? NOBODY : NONE, value)
const isNoLinks = (value: unknown) => Array.isArray(value) && value.length === 1 && isWordOf(NONE, value[0])

function valueOf(field: ValueField, text: string, now: () => Date): string | number {
  if (field.type === 'date') {
    const day = dayOfWords(text.replace(MIDNIGHT, ''), now())
    if (day === undefined) throw new ToolError(`arguments.${nameOf(field)} '${abbreviate(text)}' is no day: ${DAYS}`)
    return day
  }
  if (field.type !== 'float8') return text
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw new ToolError(`arguments.${nameOf(field)} '${abbreviate(text)}' is no number: send one such as 3 or 0.5.`)
}
/** Midnight, which clients without a type for dates append to a day. */
const MIDNIGHT = /(?<=^\s*\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?(?:Z|[+]00:00)?\s*$/i
const DAYS = `send ${DAY_FORMS}; days are those of UTC.`
