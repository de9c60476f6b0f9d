import type { TObject } from 'typebox'
import { validSession } from '../../core/api/accounts.ts'
import { foldName } from '../../core/api/text.ts'
import { hasFields } from '../../lib/util/has-fields.ts'
import type { Reading } from './contract.ts'

interface ArgumentSchema extends Reading {
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

/** `due_date` is `dueDate`, and aliases are resolved. */
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

/** In its spelling: `updated_at` is `updatedAt`. A number selects by position. */
function readWord({ enum: words = [], numbered }: ArgumentSchema, value: unknown): unknown {
  if (numbered && /^\d$/.test(String(value))) return words[Number(value)] ?? value
  if (typeof value !== 'string') return value
  return words.find(word => typeof word === 'string' && foldName(word) === foldName(value)) ?? value
}

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

export function bareNumbers(input: TObject, args: Arguments): string[] {
  const { properties = {} } = input as ArgumentSchema
  return Object.keys(args).filter(name => {
    const { reads, items } = (Object.hasOwn(properties, name) && properties[name]) || {}
    if ((reads ?? items?.reads) !== 'task') return false
    return [args[name]].flat().some(value => typeof value === 'string' && isBareNumber(value))
  })
}

export const withKeys = (args: Arguments, names: readonly string[], identifier: string): Arguments => {
  const withKey = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withKey)
    return typeof value === 'string' && isBareNumber(value) ? `${identifier}-${value}` : value
  }
  return { ...args, ...Object.fromEntries(names.map(name => [name, withKey(args[name])])) }
}

/*
 * Normalizes texts that clients write in several ways. Ambiguous texts are unchanged: REST refuses them, and says the
 * expected form.
 */

const ADDRESS = /^https?:\/\/[^\s?#]+\/issues?\/([^/\s?#]+)\/?(?:[?#].*)?$/i
/** A key without its hyphen: not for identifiers that end with a digit. */
const WITHOUT_HYPHEN = /^([A-Za-z]{1,10})([1-9]\d{0,8})$/
/** A key with another separator, or with zeros. */
const SEPARATED = /^([A-Za-z][A-Za-z0-9]{0,9})[-_ \u2010-\u2015]0*([1-9]\d{0,8})$/
/** Marks of markdown and brackets before a key. */
const BEFORE = /^[[`*"'(#]+/
const NAME = /^[\w \u2010-\u2015-]+/
/** The text that may follow a key: closing marks, the address of a link, a full stop, or its title. */
const AFTER = /^(?:[\]`*"')]*|\]\([^()]*\)|[.,;:]|: .*)$/s
const KEY = /^[A-Za-z][A-Za-z0-9]{0,9}-[1-9]\d{0,8}$/
const NUMBER = /^[1-9]\d{0,8}$/
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A task's name, or the text unchanged: `ENG-1`, also as `#eng-1`, `ENG1`, `eng_001`, `[ENG-1]`, `ENG-1: its title` or
 * the address of its page; a number for `1` and `#1`.
 */
function readTask(text: string): string {
  const trimmed = text.trim()
  const inAddress = ADDRESS.exec(trimmed)?.[1]
  // Other trackers have such addresses, too, with numbers.
  if (inAddress !== undefined) return KEY.test(inAddress) || ID.test(inAddress) ? inAddress : text
  const unmarked = trimmed.replace(BEFORE, '')
  const [name = ''] = NAME.exec(unmarked) ?? []
  if (!AFTER.test(unmarked.slice(name.length))) return text
  const named = name.replace(WITHOUT_HYPHEN, '$1-$2').replace(SEPARATED, '$1-$2')
  return [KEY, NUMBER, ID].some(form => form.test(named)) ? named : text
}

/** A key if there is one team. */
const isBareNumber = (task: string): boolean => NUMBER.test(task)

/** A type, and a task, which may be an object with its key. Any other value is unchanged. */
function readRelation(value: unknown): unknown {
  const relation = typeof value === 'string' ? (parseJson(value) ?? value) : value
  if (typeof relation === 'string') {
    const words = relation.trim().split(/\s+/)
    return [...words.slice(0, -1), readTask(words.at(-1) ?? '')].join(' ')
  }
  if (!hasFields(relation)) return value
  const { type, ...others } = relation
  const [other, ...more] = Object.values(others).map(other => (hasFields(other) ? other['key'] : other))
  if (typeof type !== 'string' || typeof other !== 'string' || more.length > 0) return value
  return `${type} ${readTask(other)}`
}

const NAMES_OF = {
  task: ['key', 'id'],
  person: ['fullname', 'name', 'id'],
  name: ['name', 'id'],
  criterion: ['text', 'criterion'],
  markdown: [],
  relation: []
} as const

/** Replaces an object of an answer with its key, UUID or name; a criterion without other fields, with its text. */
function nameInObject(reads: keyof typeof NAMES_OF, value: unknown): unknown {
  if (!hasFields(value) || (reads === 'criterion' && Object.keys(value).length > 1)) return value
  const { id } = value
  // Several people and things may have a name.
  if ((reads === 'person' || reads === 'name') && typeof id === 'string' && ID.test(id)) return id
  return NAMES_OF[reads].map(name => value[name]).find(name => typeof name === 'string') ?? value
}

const readPerson = (text: string): string => text.trim().replace(/^@(?=.)/, '')

const CODE = /(```[\s\S]*?```|`[^`]*`)/
/** The two characters as a word, or in a path: text about them. */
const MENTIONED = /(?:^|[\s"'(])\\n(?=$|[\s"'),.;:])|\\[^n\s]|\b[A-Za-z]:\\/

/** Unescapes line breaks in markdown that was escaped twice: it has no line break, but the characters `\` and `n`. */
function readMarkdown(text: string): string {
  if (/[\r\n]/.test(text) || !text.includes('\\n')) return text
  const parts = text.split(CODE)
  const prose = parts.filter((_, n) => n % 2 === 0)
  if (prose.some(part => MENTIONED.test(part))) return text
  return parts.map((part, n) => (n % 2 === 0 ? part.replaceAll('\\n', '\n') : part)).join('')
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
