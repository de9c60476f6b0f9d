import { ToolError, type ToolCall } from '../mcp/contract.ts'
import type { StateCategory } from './contract.ts'

interface Named { id: string, name: string }
interface State extends Named { category: StateCategory }
export interface Directory {
  teams: Array<Named & { identifier: string, states: State[] }>
  labels: Named[]
  members: Array<{ id: string, fullname: string }>
}

/** Every name of the workspace, for tools that turn names into ids. */
export const directory = ({ rest }: ToolCall) => rest<Directory>('GET', '/v1/workspace')

/** The one of `things` that `ref` names, by id or by name in any case. @throws ToolError that lists the names */
export function named<T extends { id: string }> (what: string, things: readonly T[], nameOf: (thing: T) => string, ref: string): T {
  const wanted = ref.trim().toLowerCase()
  const found = things.find(thing => thing.id === wanted || nameOf(thing).toLowerCase() === wanted)
  if (found) return found
  throw new ToolError(`There is no ${what} '${ref.slice(0, 80)}'; there are: ${things.slice(0, 50).map(nameOf).join(', ') || 'none'}.`)
}

export const memberId = ({ members }: Directory, ref: string, { me }: ToolCall): string =>
  ref.toLowerCase() === 'me' ? me : named('member', members, member => member.fullname, ref).id
export const labelIds = ({ labels }: Directory, refs: readonly string[]): string[] => refs.map(ref => named('label', labels, label => label.name, ref).id)
/** The team of a key such as `ENG-12`, or the only one there is. */
export function teamOf ({ teams }: Directory, ref: string | undefined) {
  if (ref === undefined && teams.length === 1) return teams[0]!
  if (ref === undefined) throw new ToolError(`Name the team: ${teams.map(team => team.identifier).join(', ')}.`)
  return teams.find(team => team.name.toLowerCase() === ref.toLowerCase()) ?? named('team', teams, team => team.identifier, ref)
}
export const stateOf = (states: readonly State[], ref: string): State => named('state', states, state => state.name, ref)
