import { cut } from '../../../lib/util/cut-text.ts'
import { conversions } from '../../../core/api/text.ts'
import { ToolError, type ToolCall } from '../../mcp/contract.ts'
import { MAX_LIST_LENGTH, MAX_TEXT_LENGTH, NOTE_PART, readOnCall, taskPath, withoutIds, type Context } from './task.ts'

/* Parts of a task that is too long for one read: a text from a character on, a list from an item on. */

const MAX_NOTES = 100

interface Note {
  id: string
  parentId: string | null
  author: { fullname: string }
  createdAt: string
  bodyMarkdown: string
}

interface PartRequest {
  task: string
  part: string
  from: number
}

export async function readPart(request: PartRequest, { rest }: Pick<ToolCall, 'rest'>): Promise<object> {
  const { task, part, from } = request
  if (part.startsWith(NOTE_PART)) {
    const id = part.slice(NOTE_PART.length).trim()
    const { bodyMarkdown } = await rest<Note>('GET', `/v1/issue_comments/${encodeURIComponent(id)}`)
    return textFrom(request, bodyMarkdown)
  }
  const lower = part.trim().toLowerCase()
  if (lower === 'comments' || lower === 'notes') return notesFrom(request, rest)
  const context = await rest<Context>('GET', taskPath(task, '/context'))
  if (lower === 'description' || lower === 'descriptionmarkdown') return textFrom(request, context.descriptionMarkdown)
  if (lower === 'criteria') return itemsFrom(request, (await criteriaOf(context.descriptionMarkdown)).slice(from))
  const name = Object.keys(context).find(name => name.toLowerCase() === lower)
  const list = name === undefined ? undefined : context[name]
  if (Array.isArray(list)) {
    const items = list.slice(from).map(item => withoutIds(item, task))
    return itemsFrom(request, items)
  }
  const lists = Object.keys(context).filter(name => Array.isArray(context[name]))
  throw new ToolError(
    `There is no part '${part.slice(0, 80)}'; the parts are: ${['description', 'criteria', ...lists].join(', ')}.`
  )
}

function textFrom(request: PartRequest, text: string): object {
  const { task, part, from } = request
  if (from > text.length) throw new ToolError(`It has ${text.length} characters: send a smaller from.`)
  return { part, text: cut(text.slice(from), MAX_TEXT_LENGTH, at => readOnCall(task, part, from + at)) }
}

/** The items that fit, at least one, and the beginning of the next ones. @param items those from `from` on */
function itemsFrom({ part, from }: PartRequest, items: readonly unknown[], hasMore = false): object {
  let room = MAX_LIST_LENGTH
  const end = items.findIndex((item, n) => (room -= JSON.stringify(item).length) < 0 && n > 0)
  const shown = end < 0 ? items : items.slice(0, end)
  return { part, items: shown, ...((hasMore || end >= 0) && { next: from + shown.length }) }
}

async function notesFrom(request: PartRequest, rest: ToolCall['rest']): Promise<object> {
  const { task, from } = request
  const query = new URLSearchParams({ issueId: task, from: String(from), limit: String(MAX_NOTES + 1) })
  const notes = await rest<Note[]>('GET', `/v1/issue_comments?${query}`)
  const shown = notes.slice(0, MAX_NOTES).map(({ id, parentId, author, createdAt, bodyMarkdown }) => ({
    author: author.fullname,
    createdAt,
    bodyMarkdown: cut(bodyMarkdown, MAX_LIST_LENGTH, at => readOnCall(task, `${NOTE_PART}${id}`, at)),
    ...(parentId !== null && { reply: true })
  }))
  return itemsFrom(request, shown, notes.length > MAX_NOTES)
}

/** The criteria of a description, one line each. @throws ToolError when the server has no time for it */
export async function criteriaOf(descriptionMarkdown: string): Promise<string[]> {
  try {
    const criteria = await conversions.criteria(descriptionMarkdown)
    return criteria.map(({ n, text, met }) => `${n}. [${met ? 'x' : ' '}] ${text}`)
  } catch (error) {
    throw new ToolError(error instanceof Error ? error.message : String(error))
  }
}
