import type { DataRecord, ImportSource, SourceInput } from '../contract.ts'
import { jsonValues } from '../io/files.ts'
import { oneLine } from '../markdown.ts'
import {
  compact,
  dayOf,
  identifierOf,
  isEmpty,
  leaveOutUnreadTimes,
  isObject,
  objectOf,
  objectsOf,
  personRecord,
  relationRecord,
  textOf,
  textsOf,
  timeOf,
  valueFor,
  type JsonObject
} from '../values/values.ts'
import { closing, priorityNamed, stateNamed } from '../values/words.ts'

const STATES: Record<string, { name: string; category: string }> = {
  open: { name: 'Open', category: 'UNSTARTED' },
  in_progress: { name: 'In progress', category: 'STARTED' },
  hooked: { name: 'Hooked', category: 'STARTED' },
  blocked: { name: 'Blocked', category: 'UNSTARTED' },
  deferred: { name: 'Deferred', category: 'BACKLOG' },
  pinned: { name: 'Pinned', category: 'BACKLOG' },
  closed: { name: 'Closed', category: 'COMPLETED' }
}
/** P0 is critical, P4 the backlog. */
const PRIORITIES = [1, 2, 3, 4, 4]
const KNOWN = new Set([
  ...['id', 'title', 'description', 'design', 'notes', 'acceptance_criteria', 'status', 'priority', 'issue_type'],
  ...['created_at', 'updated_at', 'closed_at', 'close_reason', 'assignee', 'owner', 'created_by', 'dependencies'],
  ...['labels', 'comments', 'parent', 'due_at', 'external_ref', 'dependency_count', 'dependent_count', 'comment_count']
])

export const beads: ImportSource = {
  name: 'beads',
  summary: 'beads: its issues.jsonl, or the folder .beads',
  keysInTexts: /-[a-z0-9]+(?:\.\d+)*$/i,
  async *read(input) {
    const board = await readBoard(input.place)
    for await (const { where, ...read } of jsonValues(input.place)) {
      if ('problem' in read) yield { where, problem: read.problem }
      else if (isObject(read.value) && isOlder(read.value, where, board)) {
        input.leaveOut('issues', 'they come twice, and the line that was updated last counts', where)
      } else if (isObject(read.value) && isDeleted(read.value)) {
        yield { where, omitted: textsOf([read.value['id']]), reason: 'they were deleted there' }
      } else if (!isObject(read.value) || !textOf(read.value['id']) || !textOf(read.value['title'])) {
        yield { where, problem: 'it is no issue: it has no id or title' }
      } else for (const record of beadsIssue(read.value, where, board, input)) yield { where, record }
    }
  }
}

interface Board {
  /** The line with the last update, by issue id. */
  lines: ReadonlyMap<string, { where: string; updatedAt: string }>
  prefixes: ReadonlySet<string>
}

const prefixOf = (id: string) => id.replace(/-[^-]*$/, '')

/** A merge may leave two lines for one issue. */
async function readBoard(place: string): Promise<Board> {
  const lines = new Map<string, { where: string; updatedAt: string }>()
  for await (const read of jsonValues(place)) {
    const value = 'value' in read ? objectOf(read.value) : {}
    const id = textOf(value['id'])
    const updatedAt = timeOf(value['updated_at']) ?? ''
    if (id !== undefined && updatedAt >= (lines.get(id)?.updatedAt ?? '')) {
      lines.set(id, { where: read.where, updatedAt })
    }
  }
  return { lines, prefixes: new Set([...lines.keys()].map(prefixOf)) }
}

function isOlder(value: JsonObject, where: string, { lines }: Board): boolean {
  const newest = lines.get(textOf(value['id']) ?? '')
  return newest !== undefined && newest.where !== where
}

/** `bd` for `bd-wisp-a1` if other ids have that prefix; `my-app` for `my-app-a1`. */
function projectPrefix(id: string, { prefixes }: Board): string {
  const parts = prefixOf(id).split('-')
  const beginnings = parts.map((_, n) => parts.slice(0, n + 1).join('-'))
  return beginnings.find(beginning => prefixes.has(beginning)) ?? prefixOf(id)
}

/** A tombstone keeps the id of a deleted issue. */
const isDeleted = (value: JsonObject): boolean =>
  textOf(value['status'])?.toLowerCase() === 'tombstone' || textOf(value['deleted_at']) !== undefined

function* beadsIssue(value: JsonObject, where: string, board: Board, input: SourceInput): Generator<DataRecord> {
  const { leaveOut } = input
  const id = textOf(value['id'])!
  for (const field of Object.keys(value)) {
    if (!KNOWN.has(field) && !isEmpty(value[field])) leaveOut(`field ${field}`, 'it has no counterpart', where)
  }
  leaveOutUnreadTimes(value, ['created_at', 'updated_at', 'closed_at', 'due_at'], where, leaveOut)
  const prefix = projectPrefix(id, board)
  const team = identifierOf(/^\d/.test(prefix) ? `BD${prefix}` : prefix, 'BD')
  const status = textOf(value['status']) ?? 'open'
  const state = valueFor(STATES, status) ?? stateNamed(status, where, input)
  yield { kind: 'team', identifier: team, name: team, states: [state] }
  for (const person of peopleOf(value)) yield personRecord(person)
  const title = textOf(value['title'])!
  const priority = textOf(value['priority'])
  const updatedAt = timeOf(value['updated_at'])
  const url = textOf(value['external_ref'])
  yield compact({
    kind: 'issue',
    externalId: id,
    team,
    number: Number(/^-([1-9]\d{0,8})$/.exec(id.slice(prefix.length))?.[1]) || undefined,
    formerKeys: [id],
    title: oneLine(title, 1000),
    descriptionMarkdown: descriptionOf(value),
    state: state.name,
    priority: priority === undefined ? undefined : priorityOf(priority, where, input),
    dueDate: dayOf(value['due_at']),
    labels: [...textsOf(value['labels']), textOf(value['issue_type']) ?? 'task'].map(label => oneLine(label, 100)),
    links: url !== undefined && isAddress(url) ? [{ url, title: oneLine(url, 500) }] : undefined,
    assignee: person(value['assignee']),
    author: person(value['created_by']) ?? person(value['owner']),
    createdAt: timeOf(value['created_at']),
    updatedAt,
    ...closing(state, timeOf(value['closed_at']) ?? (state.category === 'COMPLETED' ? updatedAt : undefined))
  })
  yield* commentsOf(id, value, where, leaveOut)
  yield* relationsOf(id, value, where, board, leaveOut)
}

const priorityOf = (priority: string, where: string, input: SourceInput): number =>
  valueFor(input.map.priorities, priority) ?? PRIORITIES[Number(priority)] ?? priorityNamed(priority, where, input)

const isAddress = (reference: string): boolean => /^https?:\/\/\S{1,2000}$/.test(reference)

const person = (value: unknown): string | undefined => {
  const name = textOf(value)
  return name === undefined ? undefined : oneLine(name, 200)
}
const peopleOf = (value: JsonObject): string[] => [
  ...new Set(
    [
      ...['assignee', 'owner', 'created_by'].map(field => value[field]),
      ...objectsOf(value['comments']).map(comment => comment['author']),
      ...objectsOf(value['dependencies']).map(dependency => dependency['created_by'])
    ].flatMap(name => person(name) ?? [])
  )
]

/** The parts become sections; criteria, lines or a list, a task list. */
function descriptionOf(value: JsonObject): string | undefined {
  const section = (field: string, title: string) => {
    const text = textOf(value[field])
    return text === undefined ? [] : [`## ${title}\n\n${text}`]
  }
  const criteria = textOf(value['acceptance_criteria'])
  const reference = textOf(value['external_ref'])
  const parts = [
    ...(textOf(value['description']) ? [textOf(value['description'])!] : []),
    ...section('design', 'Design'),
    ...(criteria === undefined ? [] : [`## Acceptance criteria\n\n${taskList(criteria)}`]),
    ...section('notes', 'Notes'),
    ...(reference === undefined || isAddress(reference) ? [] : section('external_ref', 'External reference'))
  ]
  return parts.length === 0 ? undefined : parts.join('\n\n')
}

const taskList = (criteria: string): string =>
  criteria
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const item = line.trimStart()
      const indent = line.slice(0, line.length - item.length)
      const text = item.replace(/^(?:[-*+]|\d+[.)])(?:\s+|$)/, '')
      return `${indent}- ${/^\[[ xX]\]\s/.test(text) ? text : `[ ] ${text}`}`
    })
    .join('\n')

function* commentsOf(
  id: string,
  value: JsonObject,
  where: string,
  leaveOut: SourceInput['leaveOut']
): Generator<DataRecord> {
  for (const [n, comment] of objectsOf(value['comments']).entries()) {
    const bodyMarkdown = textOf(comment['text'])
    if (bodyMarkdown === undefined) leaveOut('comments', 'they are empty', where)
    else {
      const externalId = `${id}/${textOf(comment['id']) ?? n + 1}`
      const createdAt = timeOf(comment['created_at'])
      yield compact({
        kind: 'comment',
        externalId,
        issue: id,
        author: person(comment['author']),
        bodyMarkdown,
        createdAt
      })
    }
  }
  // The reason for closing becomes its resolution.
  const reason = textOf(value['close_reason'])
  if (reason !== undefined) {
    const createdAt = timeOf(value['closed_at'])
    yield compact({ kind: 'comment', externalId: `${id}/closed`, issue: id, bodyMarkdown: reason, createdAt })
  }
}

/** `depends_on_id` is the parent, the blocker, or the origin. */
function* relationsOf(
  id: string,
  value: JsonObject,
  where: string,
  { lines }: Board,
  leaveOut: SourceInput['leaveOut']
): Generator<DataRecord> {
  const dependencies = objectsOf(value['dependencies'])
  // `bd-1.2` is a part of `bd-1`.
  const [, whole] = /^(.+)\.\d+$/.exec(id) ?? []
  const parent = textOf(value['parent']) ?? (whole !== undefined && lines.has(whole) ? whole : undefined)
  if (parent !== undefined && !dependencies.some(({ type }) => type === 'parent-child')) {
    yield relationRecord(id, 'PARENT', parent)
  }
  let hasParent = false
  for (const dependency of dependencies) {
    const other = textOf(dependency['depends_on_id'])
    if (other === undefined) continue
    const type = textOf(dependency['type'])
    const about = compact({ createdBy: person(dependency['created_by']), createdAt: timeOf(dependency['created_at']) })
    if (type === 'parent-child') {
      if (hasParent) leaveOut('parents', 'an issue has one parent here', where)
      else yield { ...relationRecord(id, 'PARENT', other), ...about }
      hasParent = true
    } else if (type === 'blocks') yield { ...relationRecord(other, 'BLOCKS', id), ...about }
    else yield { ...relationRecord(id, type === 'duplicates' ? 'DUPLICATE_OF' : 'RELATED', other), ...about }
  }
}
