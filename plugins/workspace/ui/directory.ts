import { useQuery } from '@tanstack/react-query'
import { api } from '../../ui/browser/contract.ts'
import { STATE_CATEGORIES, type StateCategory } from '../state-categories.ts'

export interface State {
  id: string
  name: string
  category: StateCategory
  position: number
}
export interface Team {
  id: string
  identifier: string
  name: string
  states: State[]
}
export interface Member {
  id: string
  fullname: string
  kind: 'PERSON' | 'AGENT'
}
export interface Directory {
  teams: Team[]
  members: Member[]
}

export const NAMES_STALE_MS = 300_000

export const directoryQuery = {
  queryKey: ['directory'],
  queryFn: () => api<Directory>('/v1/workspace'),
  staleTime: NAMES_STALE_MS
}
/** Rows of issues do not have their team; its states tell it. */
export const teamOfState = (teams: readonly Team[], stateId: string): Team | undefined =>
  teams.find(({ states }) => states.some(({ id }) => id === stateId))

export const useDirectory = (): Directory | undefined => useQuery(directoryQuery).data

const categoryRank = ({ category }: State): number => STATE_CATEGORIES.indexOf(category)
export const sortStates = <S extends State>(states: readonly S[]): S[] =>
  states.toSorted((a, b) => categoryRank(a) - categoryRank(b) || a.position - b.position)
