import { Type, type TSchema } from 'typebox'
import { abbreviate } from '../../../core/api/errors.ts'
import { DAY_FORMS, dayOfWords } from '../../../lib/util/day-words.ts'
import { ToolError, type Reading } from '../../mcp/contract.ts'
import type { Field, ValueField } from '../fields/field.ts'
import { accounts } from '../fields/fields.ts'

/* The arguments of tools that follow from the fields of issues. */

export const argument = (description: string, reading: Reading = {}) =>
  Type.Optional(Type.String({ description, ...reading }))
export const names = (description: string, reading: Reading = {}) =>
  Type.Optional(Type.Array(Type.String(), { description, ...reading }))

type Use = 'create' | 'update' | 'list' | 'next'

const nameOf = ({ key, argument }: Field): string => argument?.name ?? key

/** The arguments of REST's fields that have other names. */
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
  if (field.kind === 'links') return names(description, { aliases: of === 'update' ? [] : field.filters })
  const words = field.kind === 'value' ? field.words : undefined
  const clearable = of === 'update' && (field.isNullable || words?.[0] === 'none')
  const aliases = field.argument?.name === undefined ? [] : [field.key]
  const reading: Reading = { ...(clearable && { clearable }), ...(aliases.length > 0 && { aliases }) }
  if (words) return Type.Optional(Type.Enum([...words], { description, numbered: true, ...reading }))
  if (field.kind === 'value') return argument(description, { reads: 'name', ...reading })
  const reads = field.source === 'issue' ? 'task' : field.source === accounts ? 'person' : 'name'
  return argument(description, { reads, ...reading })
}

/** Fields for REST from the arguments: `none` is no value. @throws ToolError for a text that is no day or number */
export function givenFields(
  fields: readonly Field[],
  args: Readonly<Record<string, unknown>>,
  now: () => Date
): Record<string, unknown> {
  const sent = fields.filter(field => field.argument !== undefined && args[nameOf(field)] !== undefined)
  return Object.fromEntries(
    sent.map(field => {
      const value = args[nameOf(field)]
      if (field.kind !== 'links' && field.isNullable && isNone(value)) return [field.key, null]
      return [field.key, field.kind === 'value' ? valueOf(field, String(value), now) : value]
    })
  )
}

const isNone = (value: unknown) => typeof value === 'string' && value.trim().toLowerCase() === 'none'

function valueOf(field: ValueField, text: string, now: () => Date): string | number {
  if (field.type === 'date') {
    const day = dayOfWords(text, now())
    if (day === undefined) throw new ToolError(`arguments.${nameOf(field)} '${abbreviate(text)}' is no day: ${DAYS}`)
    return day
  }
  if (field.type !== 'float8') return text
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw new ToolError(`arguments.${nameOf(field)} '${abbreviate(text)}' is no number: send one such as 3 or 0.5.`)
}
const DAYS = `send ${DAY_FORMS}; days are those of UTC.`
