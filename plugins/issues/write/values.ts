import type { FilterEntry } from '../../../lib/filter/filters.ts'
import type { Actor } from '../../../core/api/contract.ts'
import { isId } from '../../../core/api/database/queries.ts'
import { forbidden, invalid } from '../../../core/api/errors.ts'
import { exactFirst, foldLine, foldName, unknownName } from '../../../core/api/text.ts'
import type { Field, LinksField, ReferenceField, ValueField } from '../fields/field.ts'
import { numberOfWord, ownerOf } from '../fields/fields.ts'
import {
  addReference,
  type Named,
  type References,
  type ResolvedReferences,
  type State,
  type TeamWithStates
} from '../queries/read/lookup.ts'
import type { FieldValues } from '../schemas.ts'

/* Each field may be sent under its property (a value or an id) or its key (a name); of both, the property wins. */

export const isSettable = ({ input, settable }: Field, isNew: boolean): boolean =>
  input !== undefined && (isNew || settable !== 'create')

interface GivenValue<T> {
  value: T
  name: string
}

function givenOf<T>(body: FieldValues, property: string, key: string): GivenValue<T> | undefined {
  const name = body[property] === undefined ? key : property
  // Validated by the schema of the body.
  return body[name] === undefined ? undefined : { value: body[name] as T, name }
}
export const givenReference = ({ property, key }: ReferenceField, body: FieldValues) =>
  givenOf<string | null>(body, property, key)
const givenLinks = (names: { property: string; key: string }, body: FieldValues) =>
  givenOf<string[]>(body, names.property, names.key)

export function isGiven(field: Field, body: FieldValues): boolean {
  if (field.kind === 'value') return body[field.property] !== undefined
  if (field.kind === 'reference') return givenReference(field, body) !== undefined
  return [field, field.add, field.remove].some(names => givenLinks(names, body) !== undefined)
}

/** @throws 403 when an agent sets a field that only people set */
export function assertMaySet({ kind }: Pick<Actor, 'kind'>, fields: readonly Field[], body: FieldValues): void {
  const refused = kind === 'AGENT' ? fields.find(field => field.isSetByPeople && isGiven(field, body)) : undefined
  if (refused) throw forbidden(`Only people set ${refused.property}: leave it out, and ask one of them to change it.`)
}

export const isReplaced = (field: Field, body: FieldValues): boolean =>
  field.kind !== 'links' || givenLinks(field, body) !== undefined

/** Filters by key. Null is no value; an issue has all items of a list; a day is the last. */
export const filtersOf = (fields: readonly Field[], values: FieldValues): Record<string, FilterEntry> =>
  Object.fromEntries(
    fields
      .filter(({ key }) => values[key] !== undefined)
      .map(({ key, kind, argument, filters: [name] }) => {
        const value = values[key]
        if (value === null) return [name, { filterType: 'UNDEFINED' }]
        if (argument?.listFilter !== undefined) return [name, { filterType: argument.listFilter, value }]
        return [name, kind === 'links' ? { filterType: 'INCLUDES_ALL', value } : { filterType: 'IS', value: [value] }]
      })
  )

/** States come with their team. */
export function collectReferences(
  references: References,
  fields: readonly Field[],
  body: FieldValues,
  at: string
): void {
  for (const field of fields) {
    if (field.kind === 'reference') {
      const ref = givenReference(field, body)
      if (ref === undefined || ref.value === null || field.source === 'state') continue
      const name = `${at}${ref.name}`
      if (field.source === 'team') references.teams.set(ref.value, ref.name === field.property ? null : name)
      else if (field.source === 'issue') references.issues.set(ref.value, name)
      else addReference(references, field.source, ref.value, name)
    } else if (field.kind === 'links') {
      for (const names of [field, field.add, field.remove]) {
        const links = givenLinks(names, body)
        // Ids to be removed need not exist.
        const refs = names === field.remove ? links?.value.filter(ref => !isId(ref)) : links?.value
        for (const ref of refs ?? []) addReference(references, field.source, ref, `${at}${links!.name}`)
      }
    }
  }
}

/** A word becomes its number. @throws 400 */
export function valueIn(field: ValueField, body: FieldValues, at = ''): unknown {
  const value = body[field.property]
  if (field.words === undefined || typeof value !== 'string') return value
  const number = numberOfWord(field.words, value)
  if (number === undefined) throw unknownName(field.key, value, field.words, `${at}${field.property}`)
  return number
}

interface ReferenceOptions {
  team?: TeamWithStates | undefined
  /** The values of the changed issue, by the keys of their fields. */
  stored?: Readonly<Record<string, unknown>>
  at?: string
}

/** Null is none; undefined: the body does not say. @throws 400, 404 */
export function referenceIn(
  field: ReferenceField,
  body: FieldValues,
  resolved: ResolvedReferences,
  options: ReferenceOptions = {}
): Named | null | undefined {
  const { team, at = '' } = options
  const reference = givenReference(field, body)
  if (reference === undefined) return undefined
  const { value, name: property } = reference
  if (value === null) return null
  if (field.source === 'state') return stateOf(team!, { value, name: property }, { at })
  if (field.source === 'team') return resolved.team(value)
  if (field.source !== 'issue') return resolved.named(field.source, value, ownerIn(field, body, resolved, options))
  const { id, key } = resolved.issue(value)
  return { id, name: key }
}

/** The owner that an issue has after a change; null: none; undefined: any owner fits. */
function ownerIn(
  field: ReferenceField,
  body: FieldValues,
  resolved: ResolvedReferences,
  options: ReferenceOptions
): Named | null | undefined {
  const owner = ownerOf(field)?.field
  if (owner === undefined) return undefined
  if (owner === 'team') return options.team && { id: options.team.id, name: options.team.identifier }
  // See `storedValue`.
  const stored = (options.stored?.[owner.key] ?? null) as Named | null
  return referenceIn(owner, body, resolved, options) ?? (isGiven(owner, body) ? null : stored)
}

/**
 * The state of a team that a body names: by id, name or category, of which the first is used.
 * @param choices the states that an error lists
 * @throws 400
 */
export function stateOf(
  team: TeamWithStates,
  { value, name: field }: GivenValue<string>,
  { at = '', choices = team.states }: { at?: string; choices?: readonly State[] | undefined } = {}
): State {
  const foldedValue = foldLine(value)
  const byName = (states: readonly State[]) =>
    exactFirst(
      states.filter(({ name }) => foldLine(name) === foldedValue),
      value
    )[0] ?? states.find(({ category }) => category.toLowerCase() === foldedValue)
  const [folded, ...others] = team.states.filter(({ name }) => foldName(name) === foldName(foldedValue))
  const match =
    team.states.find(({ id }) => id === foldedValue) ??
    byName(team.states) ??
    (others.length === 0 ? folded : undefined)
  if (match) return match
  const names = choices.map(({ name }) => name)
  if (!isId(value)) throw unknownName('state', value, names, `${at}${field}`)
  throw invalid(
    `body.${at}${field} is no state of the team ${team.identifier}; its states are: ` +
      `${team.states.map(({ id, name }) => `${name} (${id})`).join(', ')}.`,
    { field: `${at}${field}`, states: team.states }
  )
}

export function linksIn(field: LinksField, body: FieldValues, resolved: ResolvedReferences) {
  const named = (names: { property: string; key: string }) =>
    givenLinks(names, body)?.value.map(ref => resolved.named(field.source, ref))
  const removed = givenLinks(field.remove, body)?.value.map(ref =>
    isId(ref) ? ref.toLowerCase() : resolved.named(field.source, ref).id
  )
  return { all: named(field), add: named(field.add) ?? [], remove: removed ?? [] }
}
