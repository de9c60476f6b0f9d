import type { Directory, Filters, Order, State, Team } from './data.ts'

/* The address of a listing, which contains its filters, order and layout: every view is a link. */
export const NOBODY = 'nobody'

export const BOARD_ORDERS: ReadonlyArray<readonly [Order, string]> = [
  ['updatedAt', 'Last updated'],
  ['urgency', 'Most urgent'],
  ['sortOrder', 'Manual']
]

/** @param orders of the page */
export const orderOf = (params: URLSearchParams, orders: typeof BOARD_ORDERS): Order =>
  orders.find(([name]) => name === params.get('order'))?.[0] ?? 'updatedAt'

export const teamOf = (params: URLSearchParams, { teams }: Directory): Team | undefined =>
  teams.find(({ identifier }) => identifier === params.get('team')) ?? teams[0]

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

export function filtersOf(params: URLSearchParams): Filters {
  const assignee = params.get('assignee')
  const label = params.get('label')
  const priority = params.get('priority')
  return {
    ...(assignee && {
      assignee: assignee === NOBODY ? { filterType: 'UNDEFINED' } : { filterType: 'IS', value: [assignee] }
    }),
    ...(label && { label: { filterType: 'IS', value: [label] } }),
    ...(priority && { priority: { filterType: 'IS', value: [Number(priority)] } })
  }
}

export const filtersOfColumn = (state: State, filters: Filters): Filters => ({
  state: { filterType: 'IS', value: [state.id] },
  ...filters
})
