import type { DataRecord, SourceInput } from '../contract.ts'
import type { FrontMatter } from '../texts/front-matter.ts'
import { oneLine } from '../markdown.ts'
import { readBody, type TaskComment } from './body.ts'
import {
  compact,
  dayOf,
  isEmpty,
  leaveOutUnreadTimes,
  personRecord,
  relationRecord,
  textOf,
  textsOf,
  timeOf,
  type JsonObject
} from '../values/values.ts'
import { closing, priorityNamed, stateNamed, type State } from '../values/words.ts'

export interface BacklogProject {
  team: string
  prefix: string
  name: string
  site: string | undefined
  /** By id and title, in lowercase. */
  milestones: Map<string, string>
  /** So far: an archived task may have the id of another. */
  ids: Set<string>
}
export interface BacklogTask extends FrontMatter {
  where: string
  place: 'board' | 'completed' | 'draft' | 'archive'
}

const KNOWN = new Set([
  ...['id', 'title', 'status', 'assignee', 'reporter', 'created_date', 'updated_date', 'completed_date', 'labels'],
  ...['dependencies', 'parent_task_id', 'priority', 'type', 'milestone', 'references', 'documentation'],
  ...['modified_files', 'subtasks', 'due_date', 'ordinal']
])

/** A string is a problem. */
export function* backlogTask(
  task: BacklogTask,
  { team, prefix, name, milestones, ids }: BacklogProject,
  input: SourceInput
): Generator<DataRecord | string> {
  const { data, body, where } = task
  const { leaveOut } = input
  const [key, title] = [textOf(data['id'])?.toUpperCase(), textOf(data['title'])]
  if (key === undefined || title === undefined) {
    yield 'it is no task: it has no id or title'
    return
  }
  const isTaken = ids.has(key)
  const id = isTaken ? oneLine(`${key} of ${where}`, 200) : key
  ids.add(key)
  const [assignee, ...others] = peopleIn(data['assignee'])
  const [reporter] = peopleIn(data['reporter'])
  for (const field of Object.keys(data)) {
    if (!KNOWN.has(field) && !isEmpty(data[field])) leaveOut(`field ${field}`, 'it has no counterpart', where)
  }
  leaveOutUnreadTimes(data, ['created_date', 'updated_date', 'completed_date', 'due_date'], where, leaveOut)
  if (others.length > 0) leaveOut('assignees', 'an issue has one assignee here', where)
  const state = stateOf(data, task, input)
  yield { kind: 'team', identifier: team, name: oneLine(name, 200), states: [state] }
  const { description, comments } = readBody(body)
  yield* accountsOf([assignee, reporter, ...comments.map(({ author }) => author)])
  const milestone = textOf(data['milestone'])
  const projectId = milestone === undefined ? undefined : (milestones.get(milestone.toLowerCase()) ?? milestone)
  if (milestone !== undefined && projectId === milestone) {
    yield { kind: 'project', externalId: milestone, name: oneLine(milestone, 200) }
  }
  const updatedAt = timeOf(data['updated_date']) ?? timeOf(data['created_date'])
  const priority = textOf(data['priority'])
  yield compact({
    kind: 'issue',
    externalId: id,
    team,
    number: numberIn(key, prefix),
    formerKeys: isTaken ? undefined : [key],
    title: oneLine(title, 1000),
    descriptionMarkdown: descriptionOf(description, data),
    state: state.name,
    priority: priority === undefined ? undefined : priorityNamed(priority, where, input),
    dueDate: dayOf(data['due_date']),
    labels: [...textsOf(data['labels']), ...textsOf([data['type']])].map(label => oneLine(label, 100)),
    links: linksOf(data),
    assignee,
    author: reporter,
    project: projectId,
    sortOrder: typeof data['ordinal'] === 'number' ? data['ordinal'] : undefined,
    createdAt: timeOf(data['created_date']),
    updatedAt,
    ...closing(state, timeOf(data['completed_date']) ?? (state.category === 'COMPLETED' ? updatedAt : undefined))
  })
  yield* relationsOf(id, data, prefix)
  yield* commentRecords(id, comments)
}

/** Milestones have no dates, so they become projects. */
export function* backlogMilestone(
  { data, body }: FrontMatter,
  milestones: BacklogProject['milestones']
): Generator<DataRecord | string> {
  const title = textOf(data['title'])
  if (title === undefined) {
    yield 'it is no milestone: it has no title'
    return
  }
  const externalId = textOf(data['id']) ?? title
  milestones.set(externalId.toLowerCase(), externalId).set(title.toLowerCase(), externalId)
  const descriptionMarkdown = readBody(body).description || undefined
  yield compact({ kind: 'project', externalId, name: oneLine(title, 200), descriptionMarkdown })
}

function stateOf(data: JsonObject, { place, where }: BacklogTask, input: SourceInput): State {
  if (place === 'archive') return { name: 'Archived', category: 'CANCELED' }
  const status = textOf(data['status']) ?? 'To Do'
  if (place === 'draft' || /^draft$/i.test(status.trim())) return { name: 'Draft', category: 'TRIAGE' }
  return stateNamed(status, where, input, place === 'completed' ? 'COMPLETED' : undefined)
}

/** Undefined if there is none, or 0. */
function numberIn(key: string, prefix: string): number | undefined {
  const [, number] = new RegExp(`^${RegExp.escape(prefix)}-(\\d+)$`, 'i').exec(key) ?? []
  return number === undefined ? undefined : Number(number) || undefined
}

const peopleIn = (value: unknown): string[] =>
  (Array.isArray(value) ? textsOf(value) : textsOf([value])).map(name => oneLine(name.replace(/^@/, ''), 200))

function* accountsOf(people: ReadonlyArray<string | undefined>): Generator<DataRecord> {
  for (const person of new Set(people)) if (person !== undefined) yield personRecord(person)
}

function descriptionOf(text: string, data: JsonObject): string | undefined {
  const lists = (
    [
      ['references', 'References'],
      ['documentation', 'Documentation'],
      ['modified_files', 'Modified files']
    ] as const
  ).flatMap(([field, title]) => {
    const items = textsOf(data[field]).filter(item => !/^https?:\/\//.test(item))
    return items.length === 0 ? [] : [`## ${title}\n\n${items.map(item => `- ${item}`).join('\n')}`]
  })
  const markdown = [...(text === '' ? [] : [text]), ...lists].join('\n\n')
  return markdown === '' ? undefined : markdown
}

function linksOf(data: JsonObject): Array<{ url: string; title: string }> | undefined {
  const urls = [...textsOf(data['references']), ...textsOf(data['documentation'])].filter(item =>
    /^https?:\/\/\S{1,2000}$/.test(item)
  )
  return urls.length === 0 ? undefined : urls.map(url => ({ url, title: oneLine(url, 500) }))
}

function* relationsOf(id: string, data: JsonObject, prefix: string): Generator<DataRecord> {
  const named = (task: string) => task.toUpperCase().replace(/^(?:TASK-|(?=\d))/, `${prefix.toUpperCase()}-`)
  const parent = textOf(data['parent_task_id'])
  if (parent !== undefined) yield relationRecord(id, 'PARENT', named(parent))
  for (const dependency of textsOf(data['dependencies'])) yield relationRecord(named(dependency), 'BLOCKS', id)
}

function* commentRecords(issue: string, comments: readonly TaskComment[]): Generator<DataRecord> {
  for (const [n, { author, at, text }] of comments.entries()) {
    const createdAt = timeOf(at)
    yield compact({ kind: 'comment', externalId: `${issue}/${n + 1}`, issue, author, bodyMarkdown: text, createdAt })
  }
}
