import { hasFields } from '../../core/has-fields.ts'
import { ToolError } from '../mcp/contract.ts'
import { PRIORITIES } from './priorities.ts'

/** Issues as tools present them: agents know them as tasks, and read names where REST has ids. */

/** @throws ToolError for a name that no path can hold */
export function taskPath(task: string, rest = ''): string {
  if (/^[\s.]*$/.test(task)) throw new ToolError(`There is no issue '${task}': name it by its key, such as ENG-12.`)
  return `/v1/issues/${encodeURIComponent(task)}${rest}`
}

export interface Context {
  id: string
  key: string
  title: string
  priority: number
  descriptionMarkdown: string
  omitted?: Record<string, number>
  [part: string]: unknown
}

/** Characters that an agent gets at once of the description (about 5,000 tokens), and of each list of a context. */
const MAX_DESCRIPTION_LENGTH = 20_000
const MAX_LIST_LENGTH = 10_000

/**
 * A context as an agent reads it: names without the ids beside them, and nothing so long that it floods the reader.
 * Long lists keep their last items, which are the newest in notes and history; `omitted` says how many are missing, and
 * where they are.
 */
export function taskOfContext(context: Context): object {
  const { id: _id, rev: _rev, key, title, descriptionMarkdown, priority, omitted: before, ...parts } = context
  const omitted: Record<string, number> = { ...before }
  const description = cut(descriptionMarkdown, MAX_DESCRIPTION_LENGTH)
  const task: Record<string, unknown> = { key, title, descriptionMarkdown: description, priority: PRIORITIES[priority] }
  for (const name of Object.keys(parts)) {
    const part = withoutIds(parts[name])
    const shown = Array.isArray(part) ? lastOf(part) : part
    task[name] = shown
    if (!Array.isArray(part) || !Array.isArray(shown) || shown.length === part.length) continue
    omitted[name] = (omitted[name] ?? 0) + part.length - shown.length
  }
  const isShort = description === descriptionMarkdown && Object.keys(omitted).length === 0
  return isShort ? task : { ...task, omitted: { ...omitted, all: `GET ${taskPath(key, '/context')}` } }
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}… (${text.length - most} more characters)` : text

/** Names and keys are enough for every tool. */
function withoutIds(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, MAX_LIST_LENGTH)
  if (Array.isArray(value)) return value.map(withoutIds)
  return hasFields(value) ? fieldsWithoutIds(value) : value
}

function fieldsWithoutIds(fields: Record<string, unknown>): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) if (name !== 'id') named[name] = withoutIds(fields[name])
  return named
}

/** The last items that have room, at least one. */
function lastOf(items: unknown[]): unknown[] {
  if (items.length < 2 || JSON.stringify(items).length <= MAX_LIST_LENGTH) return items
  let room = MAX_LIST_LENGTH
  const from = items.findLastIndex((item, n) => (room -= JSON.stringify(item).length) < 0 && n < items.length - 1)
  return items.slice(from + 1)
}
