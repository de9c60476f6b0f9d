import type { QueryClient } from '@tanstack/react-query'
import { BOARD_ORDERS, filtersOf, filtersOfColumn, orderOf, teamOf } from './address.ts'
import { directoryQuery, inOrder, labelsQuery, pageQuery } from './data.ts'

/** Asks for the names that the pages of issues show. */
export async function prepareNames(client: QueryClient): Promise<void> {
  await Promise.all([client.prefetchQuery(directoryQuery), client.prefetchQuery(labelsQuery)])
}

/** Asks for the columns of the board that the address means. */
export async function prepareBoard(client: QueryClient): Promise<void> {
  client.prefetchQuery(labelsQuery)
  const directory = await client.fetchQuery(directoryQuery)
  const params = new URLSearchParams(location.search)
  const filters = filtersOf(params)
  for (const state of inOrder(teamOf(params, directory)?.states ?? [])) {
    client.prefetchQuery(pageQuery(filtersOfColumn(state, filters), orderOf(params, BOARD_ORDERS), 1))
  }
}
