import type { DataRecord, SourceInput } from '../contract.ts'
import { oneLine } from '../markdown.ts'
import { attachmentsOf } from './attachments.ts'
import { matchesInProse, partsOf, withEdits } from '../references.ts'
import {
  compact,
  identifierOf,
  leaveOutUnreadTimes,
  objectOf,
  objectsOf,
  personRecord,
  relationRecord,
  textOf,
  timeOf,
  valueFor,
  type JsonObject
} from '../values/values.ts'
import { closing, isDone, type State } from '../values/words.ts'

export interface Repository {
  /** By the issue that they name, such as `acme/app#12`. */
  links: Map<string, Array<{ url: string; title: string }>>
  pulls: Set<string>
}

const STATES: Record<string, State> = {
  open: { name: 'Open', category: 'UNSTARTED' },
  completed: { name: 'Closed', category: 'COMPLETED' },
  not_planned: { name: 'Closed (not planned)', category: 'CANCELED' },
  duplicate: { name: 'Closed (duplicate)', category: 'CANCELED' }
}

/** `acme/app` */
export const repositoryOf = (item: JsonObject): string | undefined =>
  /\/repos\/([^/]+\/[^/]+)/.exec(addressOf(item))?.[1]
/** `github.com`: the scope of names of repositories and people. */
export const siteOf = (item: JsonObject): string | undefined =>
  URL.parse(addressOf(item))?.host.replace(/^api\.(?=github\.com$|.*\.ghe\.com$)/, '')
const addressOf = (item: JsonObject): string =>
  textOf(item['repository_url']) ?? textOf(item['issue_url']) ?? textOf(item['url']) ?? ''

/** A string is a problem. */
export function* githubIssue(
  item: JsonObject,
  { links }: Repository,
  input: SourceInput
): Generator<DataRecord | string> {
  const repository = repositoryOf(item)
  const [number, title] = [Number(item['number']), textOf(item['title'])]
  if (repository === undefined || title === undefined || !Number.isInteger(number)) {
    yield 'it is no issue: it has no repository, number or title'
    return
  }
  const name = `${repository}#${number}`
  const team = identifierOf(repository.split('/')[1]!, 'GH')
  leaveOutUnreadTimes(item, ['created_at', 'updated_at', 'closed_at'], name, input.leaveOut)
  const state = stateOf(item, name, input)
  yield { kind: 'team', identifier: team, name: oneLine(repository, 200), states: [state] }
  const [author, assignee] = [login(item['user']), login(item['assignee'])]
  for (const person of new Set([author, assignee])) if (person !== undefined) yield personRecord(person)
  if (objectsOf(item['assignees']).length > 1) input.leaveOut('assignees', 'an issue has one assignee here', name)
  const milestone = objectOf(item['milestone'])
  const project = textOf(milestone['number']) === undefined ? undefined : `${repository}/${String(milestone['number'])}`
  if (project !== undefined) {
    const descriptionMarkdown = textOf(milestone['description'])
    const projectName = oneLine(textOf(milestone['title']) ?? project, 200)
    yield compact({ kind: 'project', externalId: project, name: projectName, descriptionMarkdown })
  }
  const type = textOf(objectOf(item['type'])['name'])
  yield compact({
    kind: 'issue',
    externalId: name,
    team,
    number,
    formerKeys: [name],
    title: oneLine(title, 1000),
    descriptionMarkdown: withReferences(textOf(item['body']), repository, input),
    state: state.name,
    labels: [...labelsOf(item), ...(type === undefined ? [] : [oneLine(type, 100)])],
    links: links.get(name)?.map(link => ({ url: link.url, title: oneLine(link.title, 500) })),
    assignee,
    author,
    project,
    createdAt: timeOf(item['created_at']),
    updatedAt: timeOf(item['updated_at']),
    ...closing(state, timeOf(item['closed_at'])),
    ...attachmentsOf(textOf(item['body']), item)
  })
  for (const part of objectsOf(item['sub_issues'])) {
    const issue = `${repositoryOf(part) ?? repository}#${String(part['number'])}`
    yield relationRecord(issue, 'PARENT', name)
  }
}

function stateOf(item: JsonObject, where: string, input: SourceInput): State {
  if (item['state'] !== 'closed') return STATES['open']!
  const reason = textOf(item['state_reason']) ?? 'completed'
  const known = valueFor(STATES, reason)
  if (known) return known
  const words = oneLine(reason.replaceAll('_', ' '), 80)
  return { name: `Closed (${words})`, category: isDone(words, where, input) ? 'COMPLETED' : 'CANCELED' }
}

export function* githubComment(
  item: JsonObject,
  { pulls }: Repository,
  input: SourceInput
): Generator<DataRecord | string> {
  const repository = repositoryOf(item)
  const number = /\/issues\/(\d+)$/.exec(textOf(item['issue_url']) ?? '')?.[1]
  if (repository === undefined || number === undefined || textOf(item['id']) === undefined) {
    yield 'it is no comment: it has no id or issue'
    return
  }
  const issue = `${repository}#${number}`
  if (pulls.has(issue)) {
    input.leaveOut('comments', 'they are of pull requests', issue)
    return
  }
  const author = login(item['user'])
  if (author !== undefined) yield personRecord(author)
  const bodyMarkdown = withReferences(textOf(item['body']), repository, input)
  if (bodyMarkdown === undefined) {
    input.leaveOut('comments', 'they are empty', issue)
    return
  }
  const [createdAt, updatedAt] = [timeOf(item['created_at']), timeOf(item['updated_at'])]
  const externalId = textOf(item['id'])!
  const attachments = attachmentsOf(textOf(item['body']), item)
  yield compact({ kind: 'comment', externalId, issue, author, bodyMarkdown, createdAt, updatedAt, ...attachments })
}

const login = (user: unknown): string | undefined => textOf(objectOf(user)['login'])
const labelsOf = (item: JsonObject): string[] =>
  (Array.isArray(item['labels']) ? item['labels'] : []).flatMap((label: unknown) => {
    const name = textOf(label) ?? textOf(objectOf(label)['name'])
    return name === undefined ? [] : [oneLine(name, 100)]
  })

const NAME = String.raw`[\w.-]{1,100}/[\w.-]{1,100}`
const ISSUE_URL = new RegExp(String.raw`^<?https?://[^\s/]+/(${NAME})/issues/(\d{1,9})>?$`)
const REFERENCE = new RegExp(String.raw`(?<![\w/])(${NAME})?#(\d{1,9})\b`, 'g')

/** `#12`, `acme/app#12` and addresses of issues, outside of code. */
export function referencesIn(text: string, repository: string): Array<{ name: string; start: number; end: number }> {
  const parts = partsOf(text)
  const ofAddresses = parts.flatMap(({ kind, start, end }) => {
    const [, name, number] = (kind === 'address' && ISSUE_URL.exec(text.slice(start, end))) || []
    return name === undefined ? [] : [{ name: `${name}#${number}`, start, end }]
  })
  const ofNumbers = [...matchesInProse(text, parts, REFERENCE)].map(({ 0: { length }, 1: name, 2: number, index }) => ({
    name: `${name ?? repository}#${number}`,
    start: index,
    end: index + length
  }))
  return [...ofAddresses, ...ofNumbers].sort((a, b) => a.start - b.start)
}

function withReferences(text: string | undefined, repository: string, { reference }: SourceInput): string | undefined {
  if (text === undefined) return undefined
  const edits = referencesIn(text, repository).map(({ name, start, end }) => ({
    start,
    end,
    text: reference(name, text.slice(start, end))
  }))
  return withEdits(text, edits)
}
