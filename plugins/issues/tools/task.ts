import { cut } from '../../../lib/util/cut-text.ts'
import { hasFields } from '../../../lib/util/has-fields.ts'
import { ToolError } from '../../mcp/contract.ts'
import type { Field } from '../fields/field.ts'
import { PRIORITIES } from '../fields/priorities.ts'

/** @throws ToolError for a name that is invalid in paths */
export function taskPath(task: string, rest = ''): string {
  if (/^[\s.]*$/.test(task)) throw new ToolError(`There is no issue '${task}': name it by its key, such as ENG-12.`)
  return `/v1/issues/${encodeURIComponent(task)}${rest}`
}

/** Names are enough for agents, and times cost as much as titles. */
export const rowOfTask = (
  { stateCategory: _, holder, updatedAt, ...row }: Readonly<Record<string, unknown>>,
  hasTimes = false
): object => ({
  ...row,
  ...(hasTimes && { updatedAt }),
  ...(hasFields(holder) && { holder: holder['fullname'] })
})

/**
 * The answer to a change: of the fields, only those that it names. The caller has the rest from `get_task`, such as the
 * texts of criteria. `rev` is answered only after a new description: with a later revision than the one that it has
 * read, a caller would overwrite changes that it does not know.
 * @param changed the keys of the fields
 */
export function answerOfChange(
  { rev, unmet: _, unmetNumbers: unmet, ...row }: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  changed: readonly string[]
): object {
  const unchanged = ['relations', ...fields.map(({ key }) => key)].filter(key => !changed.includes(key))
  const shown = Object.entries(rowOfTask(row)).filter(([name]) => !unchanged.includes(name))
  return { ...Object.fromEntries(shown), unmet, ...(changed.includes('descriptionMarkdown') && { rev }) }
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

export interface ContextChanges {
  version: string
  descriptionMarkdown?: string
  priority?: number
  omitted?: Record<string, number> | null
  [part: string]: unknown
}
export const isWhole = (answer: Context | ContextChanges): answer is Context =>
  !('delta' in answer || 'unchanged' in answer)

/** Characters of the description at once, about 5,000 tokens. */
export const MAX_TEXT_LENGTH = 20_000
export const MAX_LIST_LENGTH = 10_000
export const NOTE_PART = 'note '

export const readOnCall = (task: string, part: string, from: number): string =>
  `get_task ${JSON.stringify({ task, part, from })}`

type CriteriaOf = (markdown: string) => Promise<string[]>

/**
 * A context for agents: names without ids, and limited lengths. Long lists keep their last items, which are the newest
 * in notes and history; `omitted` has the number of missing ones, and the call that reads them.
 */
export async function taskOfContext(context: Context, criteriaOf: CriteriaOf): Promise<object> {
  const { id: _id, team: _team, createdAt: _created, updatedAt: _updated, ...shown } = context
  const { key, title, descriptionMarkdown, priority, definitionOfDone, omitted, ...parts } = shown
  const description = cutDescription(key, descriptionMarkdown)
  const criteria = description === descriptionMarkdown ? {} : { criteria: await criteriaOf(descriptionMarkdown) }
  // Without items, it would only repeat the checklist of the description.
  const proof = hasFields(definitionOfDone) && 'items' in definitionOfDone ? { definitionOfDone } : {}
  const limited = limitedParts(key, { ...criteria, ...parts, ...proof }, omitted)
  return {
    ...{ key, title, descriptionMarkdown: description },
    ...(priority !== 0 && { priority: PRIORITIES[priority] }),
    ...limited
  }
}

/**
 * Changes for agents, without ids. Fields that a task no longer has are `none`, as in arguments.
 * @param task as the agent named it
 */
export async function changesOfTask(task: string, changes: ContextChanges, criteriaOf: CriteriaOf): Promise<object> {
  const { removed: _, updatedAt: _at, descriptionMarkdown: whole, priority, omitted, ...parts } = changes
  const description = whole === undefined ? undefined : cutDescription(task, whole)
  const criteria = whole === description || whole === undefined ? {} : { criteria: await criteriaOf(whole) }
  const named = Object.entries(parts).map(([name, value]) => [name, isNothing(value) ? 'none' : value])
  return {
    ...(description !== undefined && { descriptionMarkdown: description }),
    ...(priority !== undefined && { priority: PRIORITIES[priority] }),
    ...limitedParts(task, { ...criteria, ...Object.fromEntries(named) }, omitted ?? undefined)
  }
}

const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

const cutDescription = (key: string, markdown: string): string =>
  cut(markdown, MAX_TEXT_LENGTH, at => readOnCall(key, 'description', at))

function limitedParts(key: string, parts: Record<string, unknown>, before: Record<string, number> = {}): object {
  const omitted = { ...before }
  const limited: Record<string, unknown> = {}
  for (const name of Object.keys(parts)) {
    const part = withoutIds(parts[name], key)
    const shown = Array.isArray(part) ? lastOf(part) : part
    limited[name] = shown
    if (!Array.isArray(part) || !Array.isArray(shown) || shown.length === part.length) continue
    omitted[name] = (omitted[name] ?? 0) + part.length - shown.length
  }
  const names = Object.keys(omitted)
  if (names.length === 0) return limited
  return { ...limited, omitted: { ...omitted, read: names.map(name => readOnCall(key, name, 0)) } }
}

/** Names and keys are enough for every tool. @param task its key, for cut texts */
export function withoutIds(value: unknown, task: string): unknown {
  if (typeof value === 'string') return cut(value, MAX_LIST_LENGTH)
  if (Array.isArray(value)) return value.map(item => withoutIds(item, task))
  return hasFields(value) ? fieldsWithoutIds(value, task) : value
}

/** An object that has only a name becomes its name; so does a state, which has a category, too. */
function fieldsWithoutIds(fields: Record<string, unknown>, task: string): unknown {
  const named: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (TIMES.includes(name) && typeof value === 'string') named['at'] = value.slice(0, DAY_LENGTH)
    else if (name === 'bodyMarkdown' && typeof value === 'string') {
      named[name] = cut(value, MAX_LIST_LENGTH, at => readOnCall(task, `${NOTE_PART}${String(fields['id'])}`, at))
    } else if (name !== 'id') named[name] = withoutIds(value, task)
  }
  const { name, fullname = name, category: _, ...more } = named
  return typeof fullname === 'string' && Object.keys(more).length === 0 ? fullname : named
}
/** Times of notes and of the history, of which the day is enough: their order says the rest. */
const TIMES = ['at', 'createdAt']
const DAY_LENGTH = 'YYYY-MM-DD'.length

function lastOf(items: unknown[]): unknown[] {
  if (items.length < 2 || JSON.stringify(items).length <= MAX_LIST_LENGTH) return items
  let room = MAX_LIST_LENGTH
  const from = items.findLastIndex((item, n) => (room -= JSON.stringify(item).length) < 0 && n < items.length - 1)
  return items.slice(from + 1)
}
