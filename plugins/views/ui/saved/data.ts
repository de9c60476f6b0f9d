import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, useSession } from '../../../ui/browser/contract.ts'
import type { Display, Layout, Listing, SavedListing } from '../../../issues/ui/contract.ts'

/** Empty fields are absent. */
export interface View extends Partial<Omit<Display, 'orderBy'>>, Pick<Display, 'orderBy'> {
  id: string
  name: string
  icon?: string
  filters: Listing['filters']
  layout: Layout
  isShared: boolean
  teamId?: string
  owner: { id: string; fullname: string }
}
export type ViewBody = Omit<View, 'id' | 'owner' | 'icon' | 'teamId'> & { icon: string | null; teamId: string | null }

const KEY = ['views']
export const useViews = () => useQuery({ queryKey: KEY, queryFn: () => api<View[]>('/v1/views') })

export const addressOfView = ({ id, layout }: Pick<View, 'id' | 'layout'>): string =>
  `/${layout === 'board' ? 'board' : 'issues'}?view=${id}`

export function useRights({ owner, isShared }: View): { canChange: boolean; isOwner: boolean } {
  const account = useSession()?.account
  const isOwner = account?.id === owner.id
  return { isOwner, canChange: isOwner || (isShared && account?.role === 'ADMIN') }
}

export const listingOf = (view: View): SavedListing => ({
  name: view.name,
  layout: view.layout,
  filters: view.filters,
  teamId: view.teamId ?? null,
  display: {
    orderBy: view.orderBy,
    groupBy: view.groupBy ?? null,
    subGroupBy: view.subGroupBy ?? null,
    properties: view.properties ?? [],
    hiddenGroups: view.hiddenGroups ?? [],
    collapsedGroups: view.collapsedGroups ?? [],
    closedWithinDays: view.closedWithinDays ?? null
  }
})

export const bodyOf = (view: View): ViewBody => ({
  name: view.name,
  icon: view.icon ?? null,
  isShared: view.isShared,
  ...contentOf(listingOf(view))
})
export const contentOf = ({ layout, filters, teamId, display }: Omit<SavedListing, 'name'>) => ({
  layout,
  filters,
  teamId,
  ...display
})

export function useViewChanges() {
  const client = useQueryClient()
  const onSettled = () => {
    client.invalidateQueries({ queryKey: KEY })
    client.invalidateQueries({ queryKey: ['favourites'] })
  }
  const { mutateAsync, error, isPending } = useMutation({
    mutationFn: ({ id, ...request }: { id?: string; body?: object; method?: 'DELETE' }) =>
      api<View>(id === undefined ? '/v1/views' : `/v1/views/${id}`, request),
    onSuccess(view, { method }) {
      if (method === 'DELETE') return
      // The page of the view reads the cache at once.
      client.setQueryData<View[]>(KEY, now => now && [...now.filter(({ id }) => id !== view.id), view])
    },
    onSettled
  })
  return {
    error,
    isPending,
    create: (body: ViewBody) => mutateAsync({ body }),
    /** @param previous values that the change replaces: others may have changed them */
    change: (id: string, body: Partial<ViewBody>, previous: Partial<View>) =>
      mutateAsync({ id, body: { ...body, previous } }),
    remove: (id: string) => mutateAsync({ id, method: 'DELETE' })
  }
}
