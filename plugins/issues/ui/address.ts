import { filtersOfTerms, mergeFilters, termsOfFilters, type Filters } from '../../../lib/filter/filters.ts'
import { parseFilter, printFilter, type ParsedFilter } from '../../../lib/filter/grammar.ts'
import { remember } from '../../ui/browser/contract.ts'
import type { Directory, Team } from './data.ts'

/* The address of a listing, which contains its filters, order and layout: every view is a link. */
const FILTER = 'filter'
const NOBODY = 'nobody'

const LAST_TEAM = 'tracker.team'
/** Boards without a team in their address are of this one from now on, in this browser. */
export const rememberTeam = ({ identifier }: Team): boolean => remember(LAST_TEAM, identifier)

/** The team of an address, or else the last one. */
export const teamOf = (params: URLSearchParams, { teams }: Directory): Team | undefined => {
  const named = (identifier: string | null) => teams.find(team => team.identifier === identifier)
  return named(params.get('team')) ?? named(localStorage.getItem(LAST_TEAM)) ?? teams[0]
}

export function teamAt({ pathname, search }: Location, directory: Directory): Team | undefined {
  const [, identifier] = /\/issue\/(\w+)-\d+$/.exec(pathname) ?? []
  const team = directory.teams.find(team => team.identifier === identifier)
  return team ?? teamOf(new URLSearchParams(search), directory)
}

/** The board of a team; before the names are loaded, the first one. */
export function boardOf(directory: Directory | undefined, teamId: string | undefined): string {
  const team = directory?.teams.find(({ id }) => id === teamId)
  return team ? `/board?team=${team.identifier}` : '/board'
}

/** The parameters of former addresses, with a filter each. */
const FORMER = ['assignee', 'label', 'priority'] as const
const formerFilters = (params: URLSearchParams): Filters[] =>
  FORMER.flatMap(key => {
    const value = params.get(key)
    if (value === null || value === '') return []
    return [{ [key]: value === NOBODY ? { filterType: 'UNDEFINED' } : { filterType: 'IS', value: [value] } }]
  })

export const isFormer = (params: URLSearchParams): boolean => FORMER.some(key => params.has(key))

export const typedFilterOf = (params: URLSearchParams): ParsedFilter => parseFilter(params.get(FILTER) ?? '')

export const filtersOf = (params: URLSearchParams): Filters =>
  mergeFilters(filtersOfTerms(typedFilterOf(params).terms), ...formerFilters(params))

const readable = (search: string): string => search.replaceAll('%3A', ':').replaceAll('%2C', ',')

export const listOfFilter = (typed: string): string =>
  `/issues?${readable(new URLSearchParams({ [FILTER]: typed }).toString())}`

export function searchWith(params: URLSearchParams, filters: Filters): string {
  const next = new URLSearchParams(params)
  for (const key of FORMER) next.delete(key)
  next.delete(FILTER)
  const typed = printFilter(termsOfFilters(filters))
  // A stored listing has filters of its own.
  if (typed !== '' || next.has('view')) next.set(FILTER, typed)
  const search = readable(next.toString())
  return search === '' ? '' : `?${search}`
}
