import { cut } from '../../../lib/util/cut-text.ts'
import { hasFields } from '../../../lib/util/has-fields.ts'
import { ToolError } from '../../mcp/contract.ts'
import { PRIORITIES } from '../fields/priorities.ts'

/** Issues in tools: agents know them as tasks, and read names where REST has ids. */

/** @throws ToolError for a name that is invalid in paths */
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

/**
 * Maximum characters that an agent gets at once of the description (about 5,000 tokens), and of each list of a context.
 */
export const MAX_TEXT_LENGTH = 20_000
export const MAX_LIST_LENGTH = 10_000
/** The prefix of a comment's id in the name of its part. */
export const NOTE_PART = 'note '

export const readOnCall = (task: string, part: string, from: number): string =>
  `get_task ${JSON.stringify({ task, part, from })}`

/**
 * A context for agents: names without ids, and limited lengths. Long lists keep their last items, which are the newest
 * in notes and history; `omitted` has the number of missing ones, and the call that reads them.
 * @param criteriaOf the criteria of a description that is cut
 */
export async function taskOfContext(
  context: Context,
  criteriaOf: (markdown: string) => Promise<string[]>
): Promise<object> {
  const { id: _id, key, title, descriptionMarkdown, priority, omitted: before, ...parts } = context
  const omitted: Record<string, number> = { ...before }
  const description = cut(descriptionMarkdown, MAX_TEXT_LENGTH, at => readOnCall(key, 'description', at))
  const task: Record<string, unknown> = { key, title, descriptionMarkdown: description, priority: PRIORITIES[priority] }
  const shownParts: Record<string, unknown> =
    description === descriptionMarkdown ? parts : { criteria: await criteriaOf(descriptionMarkdown), ...parts }
  for (const name of Object.keys(shownParts)) {
    const part = withoutIds(shownParts[name], key)
    const shown = Array.isArray(part) ? lastOf(part) : part
    task[name] = shown
    if (!Array.isArray(part) || !Array.isArray(shown) || shown.length === part.length) continue
    omitted[name] = (omitted[name] ?? 0) + part.length - shown.length
  }
  const names = Object.keys(omitted)
  if (names.length === 0) return task
  return { ...task, omitted: { ...omitted, read: names.map(name => readOnCall(key, name, 0)) } }
}

/** Names and keys are enough for every tool. @param task its key, for cut texts */
export function withoutIds(value: unknown, task: string): unknown {
  if (typeof value === 'string') return cut(value, MAX_LIST_LENGTH)
  if (Array.isArray(value)) return value.map(item => withoutIds(item, task))
  return hasFields(value) ? fieldsWithoutIds(value, task) : value
}

function fieldsWithoutIds(fields: Record<string, unknown>, task: string): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (name === 'bodyMarkdown' && typeof value === 'string') {
      named[name] = cut(value, MAX_LIST_LENGTH, at => readOnCall(task, `${NOTE_PART}${String(fields['id'])}`, at))
    } else if (name !== 'id') named[name] = withoutIds(value, task)
  }
  return named
}

/** The last items that fit, at least one. */
function lastOf(items: unknown[]): unknown[] {
  if (items.length < 2 || JSON.stringify(items).length <= MAX_LIST_LENGTH) return items
  let room = MAX_LIST_LENGTH
  const from = items.findLastIndex((item, n) => (room -= JSON.stringify(item).length) < 0 && n < items.length - 1)
  return items.slice(from + 1)
}
