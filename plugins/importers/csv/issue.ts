import type { ImportMap, SourceInput, SourceRecord } from '../contract.ts'
import { oneLine } from '../markdown.ts'
import { compact, dayOf, identifierOf, textOf, timeOf, valueFor } from '../values.ts'

type DataRecord = SourceRecord['record']

/** What a column can hold. */
export const CSV_FIELDS = [
  ...['id', 'key', 'title', 'description', 'state', 'priority', 'assignee', 'author', 'labels', 'createdAt'],
  ...['updatedAt', 'completedAt', 'dueDate', 'estimate', 'parent', 'project', 'team', 'url', 'blockedBy', 'relatedTo'],
  ...['duplicateOf', 'cycle', 'cycleStart', 'cycleEnd', 'canceledAt', 'startedAt']
] as const
export type CsvField = (typeof CSV_FIELDS)[number]
export type CsvValues = Partial<Record<CsvField, string>>

const PRIORITIES: Record<string, number> = {
  urgent: 1,
  critical: 1,
  highest: 1,
  high: 2,
  medium: 3,
  normal: 3,
  low: 4,
  lowest: 4,
  none: 0,
  'no priority': 0
}
const MAX_ESTIMATE = 1_000_000_000

/** Where a row is. */
interface CsvPlace {
  where: string
  /** The name of its file. */
  file: string
}

/** An issue of a row of a table, with its people, state and relations. A text is what is wrong with it. */
export function* csvIssue(values: CsvValues, place: CsvPlace, input: SourceInput): Generator<DataRecord | string> {
  const { where } = place
  const { map } = input
  const title = textOf(values.title)
  if (title === undefined) {
    yield 'it has no title'
    return
  }
  const key = textOf(values.key) ?? textOf(values.id)
  const id = textOf(values.id) ?? key ?? oneLine(`${place.file}, ${where}`, 200)
  const team = identifierOf(values.team ?? /^([A-Za-z][A-Za-z0-9]*)-\d+$/.exec(key ?? '')?.[1] ?? '', 'CSV')
  const state = stateOf(values)
  yield { kind: 'team', identifier: team, name: oneLine(values.team ?? team, 200), states: [state] }
  const [assignee, author] = [values.assignee, values.author].map(name =>
    textOf(name) === undefined ? undefined : oneLine(name!, 200)
  )
  for (const person of new Set([assignee, author])) {
    if (person !== undefined) yield account(person)
  }
  const project = textOf(values.project)
  if (project !== undefined) yield { kind: 'project', externalId: project.slice(0, 200), name: oneLine(project, 200) }
  const cycle = cycleOf(values, team)
  if (cycle) yield cycle
  const url = textOf(values.url)
  const estimate = estimateOf(values.estimate)
  leaveOutUnread(values, where, input)
  yield compact({
    kind: 'issue',
    externalId: id.slice(0, 200),
    team,
    number: Number(/-(\d{1,9})$/.exec(key ?? '')?.[1]) || undefined,
    formerKeys: key !== undefined && /^\S{1,200}$/.test(key) ? [key] : undefined,
    title: oneLine(title, 1000),
    descriptionMarkdown: textOf(values.description),
    state: state.name,
    priority: textOf(values.priority) === undefined ? undefined : (priorityOf(values.priority, map) ?? 0),
    estimate,
    dueDate: dayOf(values.dueDate),
    labels: listOf(values.labels).map(label => oneLine(label, 100)),
    links: url !== undefined && /^https?:\/\/\S{1,2000}$/.test(url) ? [{ url, title: oneLine(url, 500) }] : undefined,
    assignee,
    author,
    project: project?.slice(0, 200),
    cycle: textOf(cycle?.['externalId']),
    createdAt: timeOf(values.createdAt),
    updatedAt: timeOf(values.updatedAt),
    completedAt: state.category === 'COMPLETED' ? timeOf(values.completedAt) : undefined
  })
  for (const parent of listOf(values.parent).slice(0, 1)) yield relation(id, 'PARENT', parent)
  for (const blocker of listOf(values.blockedBy)) yield relation(blocker, 'BLOCKS', id)
  for (const other of listOf(values.relatedTo)) yield relation(id, 'RELATED', other)
  for (const other of listOf(values.duplicateOf)) yield relation(id, 'DUPLICATE_OF', other)
}

/** An e-mail address stands for its person. */
const account = (person: string): DataRecord =>
  compact({
    kind: 'account',
    externalId: person,
    type: 'PERSON',
    role: 'MEMBER',
    fullname: person,
    email: /^[^\s@]+@[^\s@]+$/.test(person) ? person : undefined
  })
const relation = (issue: string, type: string, relatedIssue: string): DataRecord => ({
  kind: 'relation',
  issue,
  type,
  relatedIssue
})
const listOf = (text = ''): string[] =>
  text
    .split(/[,;\n]/)
    .map(item => item.trim())
    .filter(item => item !== '')

function priorityOf(name: string | undefined, map: ImportMap): number | undefined {
  const text = textOf(name)?.trim()
  if (text === undefined) return undefined
  const number = /^[0-4]$/.test(text) ? Number(text) : undefined
  return valueFor(map.priorities, text) ?? valueFor(PRIORITIES, text.toLowerCase()) ?? number
}

function estimateOf(value: string | undefined): number | undefined {
  const estimate = Number(textOf(value) ?? Number.NaN)
  return estimate >= 0 && estimate <= MAX_ESTIMATE ? estimate : undefined
}

/** Says which values say something that is not understood. */
function leaveOutUnread(values: CsvValues, where: string, { map, leaveOut }: SourceInput): void {
  const isUnread = (field: CsvField, read: unknown) => textOf(values[field]) !== undefined && read === undefined
  for (const field of ['createdAt', 'updatedAt', 'completedAt', 'dueDate', 'cycleStart', 'cycleEnd'] as const) {
    if (isUnread(field, timeOf(values[field]))) leaveOut(field, 'it is no time', where)
  }
  if (isUnread('estimate', estimateOf(values.estimate))) {
    leaveOut('estimate', `it is no number from 0 to ${MAX_ESTIMATE}`, where)
  }
  if (isUnread('priority', priorityOf(values.priority, map))) {
    leaveOut('priority', 'it is not known: name it in `priorities` of the map', where)
  }
}

function stateOf({ state, completedAt, canceledAt, startedAt }: CsvValues): { name: string; category: string } {
  const name = oneLine(textOf(state) ?? 'Open', 100)
  if (/cancel|won'?t|duplicate|reject|declin/i.test(name) || textOf(canceledAt)) return { name, category: 'CANCELED' }
  if (/done|complete|closed|resolved|merged|shipped/i.test(name) || textOf(completedAt)) {
    return { name, category: 'COMPLETED' }
  }
  if (/triage/i.test(name)) return { name, category: 'TRIAGE' }
  if (/backlog|later|icebox/i.test(name)) return { name, category: 'BACKLOG' }
  if (/progress|review|doing|started|testing/i.test(name) || textOf(startedAt)) return { name, category: 'STARTED' }
  return { name, category: 'UNSTARTED' }
}

function cycleOf({ cycle, cycleStart, cycleEnd }: CsvValues, team: string): DataRecord | undefined {
  const name = textOf(cycle)
  const [startsAt, endsAt] = [timeOf(cycleStart), timeOf(cycleEnd)]
  if (name === undefined || startsAt === undefined || endsAt === undefined || endsAt <= startsAt) return undefined
  return {
    kind: 'cycle',
    externalId: `${team} ${name}`.slice(0, 200),
    team,
    name: oneLine(name, 200),
    startsAt,
    endsAt
  }
}
