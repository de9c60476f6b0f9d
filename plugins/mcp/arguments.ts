import type { TObject } from 'typebox'
import { validSession } from '../../core/api/accounts.ts'
import { foldName } from '../../core/api/text.ts'
import type { Reading } from './contract.ts'
import {
  isBareNumber,
  nameInObject,
  parseJson,
  readMarkdown,
  readPerson,
  readRelation,
  readTask
} from './arguments/values.ts'

/** The parts of an argument's schema that control reading its values. */
export interface ArgumentSchema extends Reading {
  type?: string
  enum?: readonly unknown[]
  items?: ArgumentSchema
  anyOf?: readonly ArgumentSchema[]
  properties?: Readonly<Record<string, ArgumentSchema>>
  required?: readonly string[]
  minimum?: number
  maximum?: number
}
type Arguments = Record<string, unknown>

/**
 * Converts arguments to the schema where they are unambiguous: null and an empty text are none, a word may be in any
 * case, a value stands for a list of one and vice versa, numbers, booleans and lists may be text, and names may be
 * written in other ways. The validator refuses the rest.
 * @param unlisted arguments that the client may not have been shown
 */
export function readArguments(input: TObject, sent: Arguments, unlisted: readonly string[] = []): Arguments {
  const schema = input as ArgumentSchema
  const named = readNames(schema, sent)
  const { properties = {}, required = [] } = schema
  // Clients that must send every argument send null for none. If some are missing, null is intended.
  const isWhole = Object.keys(properties).every(name => Object.hasOwn(named, name) || unlisted.includes(name))
  const read = Object.entries(named).flatMap(([name, value]): Array<[string, unknown]> => {
    const of = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (of === undefined) return value === null || value === undefined ? [] : [[name, value]]
    // A session is only recorded: an invalid one fails no call.
    if (name === 'session' && validSession(value) === undefined) return []
    if (isNone(of, value, required.includes(name))) return of.clearable && !isWhole ? [[name, 'none']] : []
    return [[name, readValue(of, value)]]
  })
  // Even `__proto__` becomes an own property, which the validator refuses as unknown.
  return Object.fromEntries(read)
}

/** Arguments by schema name: `due_date` is `dueDate`, and aliases are resolved. */
function readNames({ properties = {} }: ArgumentSchema, sent: Arguments): Arguments {
  const nameOf = (name: string): string => {
    if (Object.hasOwn(properties, name)) return name
    const camelCase = name.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase())
    if (Object.hasOwn(properties, camelCase)) return camelCase
    return Object.keys(properties).find(known => properties[known]?.aliases?.includes(camelCase)) ?? name
  }
  const entries = Object.entries(sent)
  const isOnly = (name: string) => entries.filter(([other]) => nameOf(other) === name).length === 1
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const known = nameOf(name)
      return [isOnly(known) ? known : name, value]
    })
  )
}

/** True if a value means none. An empty text does, except for prose. */
function isNone({ type, reads, clearable, enum: words }: ArgumentSchema, value: unknown, isRequired: boolean): boolean {
  if (value === null || value === undefined) return true
  if (isRequired || value !== '') return false
  return clearable === true || words !== undefined || type !== 'string' || reads === 'name' || reads === 'person'
}

function readValue(schema: ArgumentSchema, value: unknown): unknown {
  if (schema.type === 'array') return listIn(schema.items ?? {}, value).map(item => readOne(schema.items ?? {}, item))
  return readOne(schema, Array.isArray(value) && value.length === 1 ? value[0] : value)
}

const SEPARATORS = { task: /[\s,;]+/, criterion: /\r\n|\r|\n/, relation: /[,;\r\n]/ } as const

const NUMBERS = /^\s*\d+(?:[\s,;]+\d+)+\s*$/

/** The items of a list in a text: as JSON, as keys or numbers, or one per line. */
function listIn({ reads }: ArgumentSchema, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return [value]
  const parsed = parseJson(value)
  if (Array.isArray(parsed)) return parsed
  if (reads !== 'task' && reads !== 'criterion' && reads !== 'relation') return [value]
  if (reads === 'criterion' && NUMBERS.test(value)) return value.split(SEPARATORS.task).filter(Boolean)
  return value.split(SEPARATORS[reads]).filter(item => item.trim() !== '')
}

function readOne(schema: ArgumentSchema, value: unknown): unknown {
  const { type, enum: words, reads, minimum = -Infinity, maximum = Infinity } = schema
  if (words !== undefined) return readWord(schema, value)
  if (schema.anyOf !== undefined) return readCriterion(schema.anyOf, value)
  if (type === 'integer') {
    const number = typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value
    return typeof number === 'number' ? Math.min(Math.max(number, minimum), maximum) : number
  }
  if (type === 'boolean') return readBoolean(value)
  if (type !== 'string') return value
  if (reads === 'relation') return readRelation(value)
  const named = reads === undefined ? value : nameInObject(reads, value)
  const text = typeof named === 'number' ? String(named) : named
  if (typeof text !== 'string') return text
  if (reads === 'task') return readTask(text)
  if (reads === 'person') return readPerson(text)
  return reads === 'markdown' ? readMarkdown(text) : text
}

function readBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  return word === 'true' || word === 'yes' ? true : word === 'false' || word === 'no' ? false : value
}

/** A word of an enumeration in its spelling: `updated_at` is `updatedAt`. A number selects by position. */
function readWord({ enum: words = [], numbered }: ArgumentSchema, value: unknown): unknown {
  if (numbered && /^\d$/.test(String(value))) return words[Number(value)] ?? value
  if (typeof value !== 'string') return value
  return words.find(word => typeof word === 'string' && foldName(word) === foldName(value)) ?? value
}

/** A number, a text, or an object, which may be JSON in a text. */
function readCriterion(choices: readonly ArgumentSchema[], value: unknown): unknown {
  const object = choices.find(({ type }) => type === 'object')
  const fields = typeof value === 'string' ? parseJson(value) : value
  if (object === undefined || !isFields(fields)) return value
  return Object.fromEntries(
    Object.entries(readNames(object, fields)).map(([name, field]) => [
      name,
      Object.hasOwn(object.properties ?? {}, name) ? readOne(object.properties?.[name] ?? {}, field) : field
    ])
  )
}
const isFields = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The arguments that name a task by number only. */
export function bareNumbers(input: TObject, args: Arguments): string[] {
  const { properties = {} } = input as ArgumentSchema
  return Object.keys(args).filter(name => {
    const { reads, items } = (Object.hasOwn(properties, name) && properties[name]) || {}
    if ((reads ?? items?.reads) !== 'task') return false
    return [args[name]].flat().some(value => typeof value === 'string' && isBareNumber(value))
  })
}

/** Arguments with a team's keys instead of numbers. */
export const withKeys = (args: Arguments, names: readonly string[], identifier: string): Arguments => {
  const withKey = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withKey)
    return typeof value === 'string' && isBareNumber(value) ? `${identifier}-${value}` : value
  }
  return { ...args, ...Object.fromEntries(names.map(name => [name, withKey(args[name])])) }
}
