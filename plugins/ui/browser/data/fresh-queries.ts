import { QueryClient, type InvalidateOptions, type InvalidateQueryFilters, type Query } from '@tanstack/react-query'

/** TanStack Query does not repeat a first fetch that is invalidated while it is pending; this client does. */
export class FreshQueryClient extends QueryClient {
  readonly #outdated = new Set<Query>()

  override invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      if (query.state.data === undefined) this.#refetchAfter(query)
    }
    return super.invalidateQueries(filters, options)
  }

  #refetchAfter(query: Query): void {
    if (this.#outdated.has(query)) return
    this.#outdated.add(query)
    const refetch = () => {
      this.#outdated.delete(query)
      super.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
    query.promise?.then(refetch, refetch)
  }
}
