import { hasFields } from '../../../lib/util/has-fields.ts'

/*
 * Normalizes texts that clients write in several ways. Ambiguous texts are unchanged: REST refuses them, and says the
 * expected form.
 */

/** Addresses of an issue's page, behind any proxy. */
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
export function readTask(text: string): string {
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

/** True if a task is named by its number only, which is a key if there is one team. */
export const isBareNumber = (task: string): boolean => NUMBER.test(task)

/** A relation as a text: a type, and a task, which may be an object with its key. Any other value is unchanged. */
export function readRelation(value: unknown): unknown {
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
export function nameInObject(reads: keyof typeof NAMES_OF, value: unknown): unknown {
  if (!hasFields(value) || (reads === 'criterion' && Object.keys(value).length > 1)) return value
  const { id } = value
  // Several people and things may have a name.
  if ((reads === 'person' || reads === 'name') && typeof id === 'string' && ID.test(id)) return id
  return NAMES_OF[reads].map(name => value[name]).find(name => typeof name === 'string') ?? value
}

/** `@Ada` is Ada. */
export const readPerson = (text: string): string => text.trim().replace(/^@(?=.)/, '')

const CODE = /(```[\s\S]*?```|`[^`]*`)/
/** The two characters as a word, or in a path: text about them. */
const MENTIONED = /(?:^|[\s"'(])\\n(?=$|[\s"'),.;:])|\\[^n\s]|\b[A-Za-z]:\\/

/** Unescapes line breaks in markdown that was escaped twice: it has no line break, but the characters `\` and `n`. */
export function readMarkdown(text: string): string {
  if (/[\r\n]/.test(text) || !text.includes('\\n')) return text
  const parts = text.split(CODE)
  const prose = parts.filter((_, n) => n % 2 === 0)
  if (prose.some(part => MENTIONED.test(part))) return text
  return parts.map((part, n) => (n % 2 === 0 ? part.replaceAll('\\n', '\n') : part)).join('')
}

/** The JSON value of a text; undefined when it is invalid. */
export function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
