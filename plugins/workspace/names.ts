import { distance } from 'fastest-levenshtein'
import { ToolError, type ToolCall } from '../mcp/contract.ts'
import type { StateCategory } from './state-categories.ts'

interface Named {
  id: string
  name: string
}
interface State extends Named {
  category: StateCategory
}
export interface Directory {
  teams: Array<Named & { identifier: string; states: State[] }>
  labels: Named[]
  members: Array<{ id: string; fullname: string }>
}

/** Names that an error lists. */
const MOST_NAMES = 50

/** Every name of the workspace, for tools that turn names into ids. */
export const directory = ({ rest }: ToolCall) => rest<Directory>('GET', '/v1/workspace')

/**
 * The one of `things` that `ref` names, by id or by name in any case.
 * @throws ToolError that lists the names, or the ids of those that share the name
 */
export function named<T extends { id: string }>(
  what: string,
  things: readonly T[],
  nameOf: (thing: T) => string,
  ref: string
): T {
  const wanted = ref.trim().toLowerCase()
  const found = things.find(({ id }) => id === wanted)
  if (found) return found
  const [first, ...others] = things.filter(thing => nameOf(thing).toLowerCase() === wanted)
  if (!first) throw unknownName(what, ref, things.map(nameOf))
  if (others.length > 0) {
    throw new ToolError(
      `More than one ${what} is called '${nameOf(first)}': send the id of the one you mean, ${[first, ...others].map(({ id }) => id).join(' or ')}.`
    )
  }
  return first
}

/** What an agent is told whose name for something fits nothing. */
export function unknownName(what: string, ref: string, names: readonly string[]): ToolError {
  const all = [...new Set(names)]
  const near = nearest(ref.slice(0, 80), all)
  const list =
    all.length > MOST_NAMES
      ? `${all.slice(0, MOST_NAMES).join(', ')} and ${all.length - MOST_NAMES} more`
      : all.join(', ')
  return new ToolError(
    `There is no ${what} '${ref.slice(0, 80)}'${near === undefined ? '' : `; did you mean '${near}'?`}${near === undefined ? '; there' : ' There'} are: ${list || 'none'}.`
  )
}

/** The name that is meant by one which contains it, is contained in it, or differs in every third letter at most. */
function nearest(ref: string, names: readonly string[]): string | undefined {
  const wanted = ref.trim().toLowerCase()
  if (wanted.length < 2) return undefined
  const [best] = names
    .map(name => ({ name, lower: name.toLowerCase() }))
    .map(({ name, lower }) => ({
      name,
      away: lower.includes(wanted) || wanted.includes(lower) ? 0 : distance(lower, wanted)
    }))
    .sort((a, b) => a.away - b.away)
  return best && best.away <= Math.max(1, wanted.length / 3) ? best.name : undefined
}

export const memberId = ({ members }: Directory, ref: string, { me }: ToolCall): string =>
  ref.toLowerCase() === 'me' ? me : named('member', members, member => member.fullname, ref).id
export const labelIds = ({ labels }: Directory, refs: readonly string[]): string[] =>
  refs.map(ref => named('label', labels, label => label.name, ref).id)
/** The team of a key such as `ENG-12`, or the only one there is. */
export function teamOf({ teams }: Directory, ref: string | undefined) {
  const shown = teams.map(({ identifier, name }) => `${identifier} (${name})`)
  if (ref === undefined && teams.length === 1) return teams[0]!
  if (ref === undefined) throw new ToolError(`Name the team; there are: ${shown.join(', ')}.`)
  const wanted = ref.trim().toLowerCase()
  const found =
    teams.find(({ id, identifier }) => id === wanted || identifier.toLowerCase() === wanted) ??
    teams.find(({ name }) => name.toLowerCase() === wanted)
  if (!found) throw unknownName('team', ref, shown)
  return found
}
export const stateOf = (states: readonly State[], ref: string): State =>
  named('state', states, state => state.name, ref)
