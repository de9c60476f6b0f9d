import type { Attachment, DataRecord, SourceInput } from '../contract.ts'
import { UNKNOWN_PERSON } from '../../transfer/contract.ts'
import { MAX_TEXT_CHARACTERS } from '../io/files.ts'
import { oneLine } from '../markdown.ts'
import { mention } from '../references.ts'
import {
  compact,
  dayOf,
  identifierOf,
  isEmpty,
  leaveOutUnreadTimes,
  objectOf,
  objectsOf,
  relationRecord,
  textOf,
  textsOf,
  timeOf,
  valueFor,
  type JsonObject
} from '../values/values.ts'
import { adfToMarkdown } from './text/adf.ts'
import { attachmentsOf } from './attachments.ts'
import { lastSprint, withCustomFields } from './custom-fields.ts'
import { accountOf, peopleOf } from './people.ts'
import { categoryOf, closing, isDone, priorityNamed, stateNamed, type State } from '../values/words.ts'
import { wikiToMarkdown } from './text/wiki.ts'
import type { WikiContext } from './text/wiki-context.ts'

const CATEGORIES: Record<string, string> = { new: 'UNSTARTED', indeterminate: 'STARTED', done: 'COMPLETED' }
/** Fields that are read elsewhere: a sub-task names its parent, a status its category. */
const KNOWN = new Set([
  ...['summary', 'description', 'environment', 'issuetype', 'project', 'status', 'resolution', 'resolutiondate'],
  ...['created', 'updated', 'duedate', 'priority', 'labels', 'components', 'fixVersions', 'versions', 'assignee'],
  ...['reporter', 'creator', 'parent', 'subtasks', 'epic', 'issuelinks', 'comment', 'attachment', 'closedSprints'],
  ...[
    'sprint',
    'customSprints',
    'customParent',
    'statusCategory',
    'statuscategorychangedate',
    'lastViewed',
    'workratio'
  ]
])
const HISTORY: Record<string, string> = {
  status: 'state',
  assignee: 'assignee',
  priority: 'priority',
  labels: 'label',
  summary: 'title',
  Sprint: 'cycle',
  Parent: 'parent',
  IssueParentAssociation: 'parent'
}

/** Takes versions 2 and 3 of the API. A string is a problem. @param folder of the export, with its attachments */
export function* jiraIssue(
  answer: JsonObject,
  where: string,
  input: SourceInput,
  folder?: string
): Generator<DataRecord | string> {
  const value = withCustomFields(answer)
  const fields = objectOf(value['fields'])
  const [id, key] = [textOf(value['id']), textOf(value['key'])]
  if (id === undefined || key === undefined || textOf(fields['summary']) === undefined) {
    yield 'it is no issue: it has no id, key or summary'
    return
  }
  for (const field of Object.keys(fields)) {
    if (!KNOWN.has(field) && !isEmpty(fields[field])) input.leaveOut(`field ${field}`, 'it has no counterpart', where)
  }
  leaveOutUnreadTimes(fields, ['created', 'updated', 'duedate', 'resolutiondate'], where, input.leaveOut)
  const people = new Map<string, string>()
  for (const person of peopleOf(value)) {
    const account = accountOf(person)
    if (account === undefined) continue
    people.set(account.externalId, account.fullname)
    const name = textOf(person['name'])
    if (name !== undefined) people.set(name, account.fullname)
    const aliases = ['accountId', 'key', 'name'].flatMap(field => textOf(person[field]) ?? [])
    yield { kind: 'account', ...account, aliases }
  }
  const project = objectOf(fields['project'])
  const projectKey = textOf(project['key']) ?? key.replace(/-\d+$/, '')
  const team = identifierOf(projectKey, 'JIRA')
  const state = stateOf(fields, where, input)
  const name = oneLine(textOf(project['name']) ?? projectKey, 200)
  yield { kind: 'team', identifier: team, name, states: [state] }
  const attachments = attachmentsOf(value, fields, input, folder)
  const context: WikiContext = {
    attachments: new Map(attachments.flatMap(({ name, url }) => (url === undefined ? [] : [[name!, url]]))),
    people,
    reference: input.reference,
    mention
  }
  const cycle = cycleOf(fields, team, where, input)
  if (cycle) yield cycle
  yield {
    ...issueRecord(value, { id, key, team, state, cycle: textOf(cycle?.['externalId']) }, context, input),
    ...(attachments.length > 0 && { attachments })
  }
  for (const comment of commentsOf(id, fields, where, context, input)) yield withNamed(comment, attachments)
  yield* relationsOf(id, fields)
}

interface IssuePlace {
  id: string
  key: string
  team: string
  state: State
  cycle: string | undefined
}

function issueRecord(value: JsonObject, place: IssuePlace, context: WikiContext, input: SourceInput): DataRecord {
  const fields = objectOf(value['fields'])
  const summary = textOf(fields['summary'])!
  const title = oneLine(summary, 1000)
  const resolved = timeOf(fields['resolutiondate'])
  const closedAt = resolved ?? (place.state.category === 'COMPLETED' ? timeOf(fields['updated']) : undefined)
  const priority = textOf(objectOf(fields['priority'])['name'])
  const named = (field: string, prefix = '') =>
    objectsOf(fields[field]).flatMap(item => {
      const name = textOf(item['name'])
      return name === undefined ? [] : [oneLine(prefix + name, 100)]
    })
  const type = textOf(objectOf(fields['issuetype'])['name'])
  return compact({
    kind: 'issue',
    externalId: place.id,
    team: place.team,
    number: Number(/-(\d+)$/.exec(place.key)?.[1]) || undefined,
    formerKeys: [place.key],
    title,
    descriptionMarkdown: descriptionOf(fields, title === summary.trim() ? undefined : summary, context),
    state: place.state.name,
    priority: priority === undefined ? undefined : priorityNamed(priority, place.key, input),
    dueDate: dayOf(fields['duedate']),
    labels: [
      ...textsOf(fields['labels']).map(label => oneLine(label, 100)),
      ...(type === undefined ? [] : [oneLine(type, 100)]),
      ...named('components'),
      ...named('fixVersions', 'Fix: '),
      ...named('versions', 'Affects: ')
    ],
    links: objectsOf(fields['attachment']).flatMap(attachment => {
      const filename = textOf(attachment['filename']) ?? ''
      const url = context.attachments.get(filename)
      const createdAt = timeOf(attachment['created'])
      const isLink = url !== undefined && /^https?:/.test(url)
      return isLink ? [compact({ url, title: oneLine(filename, 500), createdAt })] : []
    }),
    assignee: accountOf(objectOf(fields['assignee']))?.externalId,
    author: accountOf(objectOf(fields['reporter']))?.externalId ?? accountOf(objectOf(fields['creator']))?.externalId,
    cycle: place.cycle,
    createdAt: timeOf(fields['created']),
    updatedAt: timeOf(fields['updated']),
    ...closing(place.state, closedAt, historyOf(value, input, place.key))
  })
}

/** The resolution, if it says that the issue was not done. */
function stateOf(fields: JsonObject, where: string, input: SourceInput): State {
  const status = objectOf(fields['status'])
  const name = textOf(status['name']) ?? 'Open'
  const category = valueFor(CATEGORIES, textOf(objectOf(status['statusCategory'])['key']) ?? '')
  if (category === undefined) return stateNamed(name, where, input)
  const resolution = textOf(objectOf(fields['resolution'])['name'])
  if (category === 'COMPLETED' && resolution !== undefined && !isDone(resolution, where, input)) {
    return { name: oneLine(`${name} (${resolution})`, 100), category: 'CANCELED' }
  }
  const named = category === 'UNSTARTED' ? categoryOf(name) : undefined
  const isEarlier = named === 'TRIAGE' || named === 'BACKLOG'
  return { name: oneLine(name, 100), category: isEarlier ? named : category }
}

function descriptionOf(fields: JsonObject, summary: string | undefined, context: WikiContext): string | undefined {
  const environment = richText(fields['environment'], context)
  const names = objectsOf(fields['attachment'])
    .map(attachment => textOf(attachment['filename']) ?? '')
    .filter(name => name !== '' && !context.attachments.has(name))
  const parts = [
    summary ?? '',
    richText(fields['description'], context),
    environment === '' ? '' : `**Environment**\n\n${environment}`,
    names.length === 0 ? '' : `**Attachments**\n\n${names.map(name => `- ${name}`).join('\n')}`
  ].filter(part => part !== '')
  return parts.length === 0 ? undefined : parts.join('\n\n')
}

function richText(value: unknown, context: WikiContext): string {
  if (typeof value !== 'string') return adfToMarkdown(value, context)
  // The import leaves out the rest.
  const [start, rest] = [value.slice(0, MAX_TEXT_CHARACTERS), value.slice(MAX_TEXT_CHARACTERS)]
  return wikiToMarkdown(start, context) + rest
}

function cycleOf(fields: JsonObject, team: string, where: string, { leaveOut }: SourceInput): DataRecord | undefined {
  const sprint = lastSprint(fields)
  if (sprint === undefined) return undefined
  const [startsAt, endsAt] = [timeOf(sprint['startDate']), timeOf(sprint['endDate'])]
  const [id, name] = [textOf(sprint['id']), textOf(sprint['name'])]
  if (id === undefined || name === undefined || startsAt === undefined || endsAt === undefined || endsAt <= startsAt) {
    leaveOut('sprints', 'they have no name or dates', where)
    return undefined
  }
  return { kind: 'cycle', externalId: id, team, name: oneLine(name, 200), startsAt, endsAt }
}

function withNamed(comment: DataRecord, attachments: readonly Attachment[]): DataRecord {
  const text = String(comment['bodyMarkdown'])
  const named = attachments.filter(({ name, url }) => url !== undefined && (text.includes(url) || text.includes(name!)))
  return named.length === 0 ? comment : { ...comment, attachments: named }
}

function* commentsOf(
  issue: string,
  fields: JsonObject,
  where: string,
  context: WikiContext,
  { leaveOut }: SourceInput
): Generator<DataRecord> {
  const page = objectOf(fields['comment'])
  const comments = objectsOf(page['comments'])
  const missing = Number(page['total'] ?? 0) - comments.length
  if (missing > 0) leaveOut('comments', 'the file has only some of them', where, missing)
  for (const comment of comments) {
    const bodyMarkdown = richText(comment['body'], context)
    const externalId = textOf(comment['id'])
    if (bodyMarkdown === '' || externalId === undefined) {
      leaveOut('comments', 'they are empty', where)
      continue
    }
    yield compact({
      kind: 'comment',
      externalId,
      issue,
      author: accountOf(objectOf(comment['author']))?.externalId,
      bodyMarkdown,
      createdAt: timeOf(comment['created']),
      updatedAt: timeOf(comment['updated'])
    })
  }
}

function* relationsOf(id: string, fields: JsonObject): Generator<DataRecord> {
  const ids = ['parent', 'epic'].map(field => textOf(objectOf(fields[field])['id']))
  const parent = ids.find(candidate => candidate !== undefined) ?? textOf(fields['customParent'])
  if (parent !== undefined) yield relationRecord(id, 'PARENT', parent)
  for (const each of objectsOf(fields['issuelinks'])) {
    const outward = textOf(objectOf(each['outwardIssue'])['id'])
    const inward = textOf(objectOf(each['inwardIssue'])['id'])
    const [from, to] = outward === undefined ? [inward, id] : [id, outward]
    if (from !== undefined) yield relation(from, textOf(objectOf(each['type'])['outward']) ?? '', to)
  }
}

function relation(from: string, outward: string, to: string): DataRecord {
  if (/^blocks\b|^is required (?:by|for)\b/i.test(outward)) return relationRecord(from, 'BLOCKS', to)
  if (/^(?:depends on|requires|is blocked by)\b/i.test(outward)) return relationRecord(to, 'BLOCKS', from)
  if (/^duplicates\b/i.test(outward)) return relationRecord(from, 'DUPLICATE_OF', to)
  // Both issues have the link.
  return from < to ? relationRecord(from, 'RELATED', to) : relationRecord(to, 'RELATED', from)
}

function historyOf(value: JsonObject, { leaveOut }: SourceInput, key: string) {
  const log = objectOf(value['changelog'])
  const histories = objectsOf(log['histories'])
  const missing = Number(log['total'] ?? 0) - histories.length
  if (missing > 0) leaveOut('entries of change logs', 'the file has only some of them', key, missing)
  return histories.flatMap(history => {
    const at = timeOf(history['created'])
    const actor = accountOf(objectOf(history['author']))?.externalId ?? UNKNOWN_PERSON
    return objectsOf(history['items']).flatMap(item => {
      const field = textOf(item['field']) ?? ''
      const change = valueFor(HISTORY, field)
      if (change === undefined) leaveOut(`history of ${field}`, 'it has no counterpart', key)
      return at === undefined || change === undefined
        ? []
        : [{ at, actor, change, from: textOf(item['fromString']) ?? null, to: textOf(item['toString']) ?? null }]
    })
  })
}
