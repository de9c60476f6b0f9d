import type { DataRecord, Mark, SourceInput } from '../contract.ts'
import { oneLine } from '../markdown.ts'
import { compact, emailOf, identifierOf, personRecord, relationRecord, textOf, valueFor } from '../values/values.ts'
import { closing, priorityNamed, stateNamed, type State } from '../values/words.ts'

export const CSV_FIELDS = [
  ...['id', 'key', 'title', 'description', 'state', 'priority', 'assignee', 'author', 'labels', 'createdAt'],
  ...['updatedAt', 'completedAt', 'dueDate', 'estimate', 'parent', 'project', 'team', 'url', 'blockedBy', 'relatedTo'],
  ...['duplicateOf', 'cycle', 'cycleStart', 'cycleEnd', 'canceledAt', 'startedAt', 'restricted', 'archived']
] as const
export type CsvField = (typeof CSV_FIELDS)[number]
/** Separated by commas, semicolons or line ends. */
export const CSV_LISTS = new Set<CsvField>([
  'labels',
  'parent',
  'blockedBy',
  'relatedTo',
  'duplicateOf',
  'restricted',
  'archived'
])
export const CSV_TIMES = new Set<CsvField>([
  'createdAt',
  'updatedAt',
  'completedAt',
  'canceledAt',
  'startedAt',
  'cycleStart',
  'cycleEnd',
  'dueDate'
])
/** Times in the import format, `dueDate` as a day. */
export type CsvValues = Partial<Record<CsvField, string>>

const MAX_ESTIMATE = 1_000_000_000

export interface CsvRow {
  values: CsvValues
  where: string
  /** Its identity, if it has no id. */
  row: number
  /** True if a key such as `ENG-12` wins over the name of the team. */
  hasTeamInKey: boolean
}

/** Anything but no. */
export function markOf({ restricted, archived }: CsvValues): Mark | undefined {
  const isYes = (cells = '') => cells.split('\n').some(cell => !/^(?:|no|n|false|f|0|none|-)$/i.test(cell.trim()))
  return isYes(restricted) ? 'restricted' : isYes(archived) ? 'archived' : undefined
}

/** A string is a problem. */
export function* csvIssue(row: CsvRow, input: SourceInput): Generator<DataRecord | string> {
  const { values, where } = row
  const title = textOf(values.title)
  if (title === undefined) {
    yield 'it has no title'
    return
  }
  const key = textOf(values.key) ?? textOf(values.id)
  const id = textOf(values.id) ?? key ?? `row ${row.row}`
  const inKey = /^([A-Za-z][A-Za-z0-9]*)-\d+$/.exec(key ?? '')?.[1]
  const team = identifierOf((row.hasTeamInKey ? (inKey ?? values.team) : (values.team ?? inKey)) ?? '', 'CSV')
  const state = stateOf(values, where, input)
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
  const priority = textOf(values.priority)
  if (textOf(values.estimate) !== undefined && estimate === undefined) {
    input.leaveOut('estimate', `it is no number from 0 to ${MAX_ESTIMATE}`, where)
  }
  yield compact({
    kind: 'issue',
    externalId: id.slice(0, 200),
    team,
    number: Number(/-(\d{1,9})$/.exec(key ?? '')?.[1]) || undefined,
    formerKeys: key !== undefined && /^\S{1,200}$/.test(key) ? [key] : undefined,
    title: oneLine(title, 1000),
    descriptionMarkdown: textOf(values.description),
    state: state.name,
    priority: priority === undefined ? undefined : priorityOf(priority, where, input),
    estimate,
    dueDate: values.dueDate,
    labels: listOf(values.labels).map(label => oneLine(label, 100)),
    links: url !== undefined && /^https?:\/\/\S{1,2000}$/.test(url) ? [{ url, title: oneLine(url, 500) }] : undefined,
    assignee,
    author,
    project: project?.slice(0, 200),
    cycle: textOf(cycle?.['externalId']),
    createdAt: values.createdAt,
    updatedAt: values.updatedAt,
    ...closing(state, closedAt(values, state))
  })
  const [parent, ...parents] = listOf(values.parent)
  if (parent !== undefined) yield relationRecord(id, 'PARENT', parent)
  if (parents.length > 0) input.leaveOut('parents', 'an issue has one parent here', where)
  for (const blocker of listOf(values.blockedBy)) yield relationRecord(blocker, 'BLOCKS', id)
  for (const other of listOf(values.relatedTo)) yield relationRecord(id, 'RELATED', other)
  for (const other of listOf(values.duplicateOf)) yield relationRecord(id, 'DUPLICATE_OF', other)
}

/** An e-mail address identifies its person. */
const account = (person: string): DataRecord => compact({ ...personRecord(person), email: emailOf(person) })
const listOf = (text = ''): string[] =>
  text
    .split(/[,;\n]/)
    .map(item => item.trim())
    .filter(item => item !== '')

function priorityOf(text: string, where: string, input: SourceInput): number {
  const name = text.trim()
  const isNumber = /^[0-4]$/.test(name) && valueFor(input.map.priorities, name) === undefined
  return isNumber ? Number(name) : priorityNamed(name, where, input)
}

function estimateOf(value: string | undefined): number | undefined {
  const estimate = Number(textOf(value) ?? Number.NaN)
  return estimate >= 0 && estimate <= MAX_ESTIMATE ? estimate : undefined
}

const closedAt = ({ completedAt, canceledAt }: CsvValues, { category }: State): string | undefined =>
  category === 'CANCELED' ? (canceledAt ?? completedAt) : completedAt

/** The name gives the category, or else the times of closing and starting. */
function stateOf(values: CsvValues, where: string, input: SourceInput): State {
  const dated = (
    [
      ['canceledAt', 'CANCELED', 'Canceled'],
      ['completedAt', 'COMPLETED', 'Completed'],
      ['startedAt', 'STARTED', 'Started']
    ] as const
  ).find(([field]) => textOf(values[field]) !== undefined)
  const [field, category, name = 'Open'] = dated ?? []
  const state = stateNamed(textOf(values.state) ?? name, where, input, category)
  // `Closed` does not say how it ended.
  return field === 'canceledAt' && state.category === 'COMPLETED' ? { ...state, category: 'CANCELED' } : state
}

function cycleOf({ cycle, cycleStart: startsAt, cycleEnd: endsAt }: CsvValues, team: string): DataRecord | undefined {
  const name = textOf(cycle)
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
