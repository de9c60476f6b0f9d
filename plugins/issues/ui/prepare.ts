import type { QueryClient } from '@tanstack/react-query'
import { BOARD_ORDERS, filtersOf, filtersOfColumn, orderOf, teamOf } from './address.ts'
import { directoryQuery, labelsQuery, pageQuery, sortStates } from './data.ts'

/** Fetches the names that the pages of issues display. */
export async function prepareNames(client: QueryClient): Promise<void> {
  await Promise.all([client.prefetchQuery(directoryQuery), client.prefetchQuery(labelsQuery)])
}

/** Fetches the columns of the board of the address. */
export async function prepareBoard(client: QueryClient): Promise<void> {
  client.prefetchQuery(labelsQuery)
  const directory = await client.fetchQuery(directoryQuery)
  const params = new URLSearchParams(location.search)
  const filters = filtersOf(params)
  for (const state of sortStates(teamOf(params, directory)?.states ?? [])) {
    client.prefetchQuery(pageQuery(filtersOfColumn(state, filters), orderOf(params, BOARD_ORDERS), 1))
  }
}
