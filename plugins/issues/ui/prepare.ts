import type { QueryClient } from '@tanstack/react-query'
import { filtersOf, teamOf } from './address.ts'
import { directoryQuery, labelsQuery, pageQuery } from './data.ts'
import { cellsOf } from './display/cells.ts'
import { hasOwnDisplay, orderOf, usual, withAge } from './display/display.ts'
import { ownGroupings } from './display/own-groupings.tsx'

export async function prepareNames(client: QueryClient): Promise<void> {
  await Promise.all([client.prefetchQuery(directoryQuery), client.prefetchQuery(labelsQuery)])
}

/** Fetches the columns of the board, unless the address has display options other than the order. */
export async function prepareBoard(client: QueryClient): Promise<void> {
  client.prefetchQuery(labelsQuery)
  const directory = await client.fetchQuery(directoryQuery)
  const params = new URLSearchParams(location.search)
  if (hasOwnDisplay(params)) return
  const filters = filtersOf(params)
  const team = teamOf(params, directory)
  const groups = ownGroupings[0]!.groups({ directory, team, data: undefined })
  for (const cell of cellsOf(undefined, groups, filters, withAge(filters, usual('board')))) {
    client.prefetchQuery(pageQuery(cell.filters, orderOf(params), 1))
  }
}
