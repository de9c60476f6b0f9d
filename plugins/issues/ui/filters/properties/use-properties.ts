import { useQuery, useQueryClient } from '@tanstack/react-query'
import { contributions } from '../../../../ui/browser/contract.ts'
import { filterProperties } from '../../contract.ts'
import type { FilterOption, FilterProperty } from './property.ts'
import { fixedOptions } from './options.ts'

export const propertiesQuery = {
  queryKey: ['filter-properties'],
  queryFn: async (): Promise<FilterProperty[]> => {
    const loaded = await Promise.all(contributions(filterProperties).map(load => load()))
    const properties = loaded.flatMap(({ default: properties }) => properties)
    return properties.toSorted((a, b) => Number(a.kind === 'flag') - Number(b.kind === 'flag'))
  },
  staleTime: Infinity
}
export const useProperties = (): FilterProperty[] => useQuery(propertiesQuery).data ?? []

/** The options of a property, which come from the queries of its plugin, where they are kept. */
export function useOptions(property: FilterProperty): readonly FilterOption[] {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['filter-options', property.key],
    queryFn: () => (property.kind === 'choice' ? property.options(client) : fixedOptions(property)),
    staleTime: 0
  })
  return data ?? fixedOptions(property)
}
