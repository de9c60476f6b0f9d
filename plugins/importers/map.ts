import type { Attachment, DataRecord, ImportMap } from './contract.ts'
import { valueFor } from './values/values.ts'

interface State {
  name: string
  category: string
}

const PEOPLE = ['author', 'updatedBy', 'assignee', 'createdBy'] as const

export type AccountNames = ReadonlyMap<string, string>
export const accountNamesOf = ({ people }: ImportMap): AccountNames =>
  new Map(
    Object.entries(people ?? {})
      .reverse() // of several people with one name the first is named
      .map(([person, name]) => [name, person])
  )

/** Empty if the map replaces it. @throws Error when a person of the source has a name that the map gives to another */
export function mappedRecord(record: DataRecord, map: ImportMap, accountNames: AccountNames): DataRecord[] {
  if (record.kind === 'account' && valueFor(map.people, record['externalId'] as string) !== undefined) return []
  const mapped = { ...record }
  const team = record.kind === 'team' ? 'identifier' : 'team'
  if (typeof mapped[team] === 'string') mapped[team] = valueFor(map.teams, mapped[team]) ?? mapped[team]
  for (const field of PEOPLE) {
    const person = mapped[field]
    if (typeof person === 'string') mapped[field] = mappedPerson(person, map, accountNames)
  }
  if (Array.isArray(mapped['attachments'])) {
    mapped['attachments'] = (mapped['attachments'] as Attachment[]).map(attachment => ({
      ...attachment,
      ...(attachment.createdBy !== undefined && { createdBy: mappedPerson(attachment.createdBy, map, accountNames) })
    }))
  }
  if (isTexts(mapped['labels'])) mapped['labels'] = mappedLabels(mapped['labels'], map)
  if (record.kind === 'issue' && typeof mapped['state'] === 'string') {
    mapped['state'] = mappedState({ name: mapped['state'], category: '' }, map).name
  }
  if (record.kind === 'team') {
    mapped['states'] = (mapped['states'] as State[]).map(state => mappedState(state, map))
  }
  return [mapped]
}

/** A full name in the map means an account here, not the source's person with that name. */
function mappedPerson(person: string, { people }: ImportMap, accountNames: AccountNames): string {
  const to = valueFor(people, person)
  if (to !== undefined) return to
  const isEmail = person.includes('@') // which means the same person everywhere
  const other = isEmail ? undefined : accountNames.get(person)
  if (other === undefined) return person
  throw new Error(
    `The map says that '${other}' is '${person}' here, and the source has a person of that name, too: say in ` +
      `\`people\` who that is here ("${person}": "EMAIL OR NAME"; a name that nobody has stays a name).`
  )
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

function mappedState(state: State, { states }: ImportMap): State {
  const to = valueFor(states, state.name)
  if (to === undefined) return state
  return typeof to === 'string'
    ? { ...state, name: to }
    : { ...state, name: to.name, category: to.category ?? state.category }
}

/** Ignoring case. */
function mappedLabels(names: readonly string[], { labels }: ImportMap): string[] {
  const mapped = names.flatMap(name => {
    const to = valueFor(labels, name)
    return to === null ? [] : [to ?? name]
  })
  return [...new Map(mapped.map(name => [name.toLowerCase(), name])).values()]
}
