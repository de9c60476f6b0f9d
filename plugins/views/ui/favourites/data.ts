import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { announce, api, messageOf, offerUndo } from '../../../ui/browser/contract.ts'
import type { Favourite } from '../contract.ts'

const KEY = ['favourites']
const favouritesQuery = { queryKey: KEY, queryFn: () => api<Favourite[]>('/v1/favourites') }

export const useFavourites = (): readonly Favourite[] => useQuery(favouritesQuery).data ?? []
export const isSame = (a: Pick<Favourite, 'type' | 'id'>, b: Pick<Favourite, 'type' | 'id'>): boolean =>
  a.type === b.type && a.id === b.id

type Edit = (now: readonly Favourite[]) => Favourite[]
/** As a note says it. */
interface Names {
  title: string
  undone: string
}
export const nameOf = ({ key, name }: Favourite): string => (key === undefined ? name : `${key} ${name}`)

/** Changes the favourites: shown at once, and as before when the change is refused. It can be undone. */
export function useFavouriteChanges() {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: KEY,
    // In sequence: each sends all of them.
    scope: { id: 'favourites' },
    mutationFn: (favourites: readonly Favourite[]) =>
      api('/v1/favourites', { method: 'PUT', body: { favourites: favourites.map(({ type, id }) => ({ type, id })) } }),
    onMutate(favourites) {
      client.cancelQueries({ queryKey: KEY })
      client.setQueryData(KEY, favourites)
    },
    onError: error => announce(messageOf(error)),
    onSettled: () =>
      client.isMutating({ mutationKey: KEY }) === 1 ? client.invalidateQueries({ queryKey: KEY }) : undefined
  })
  const edit = async (by: Edit) => mutateAsync(by(await client.ensureQueryData(favouritesQuery)))
  /** @param back undoes the edit, in the favourites of that moment: it may follow before the server has answered */
  function change(by: Edit, back: Edit, { title, undone }: Names): void {
    edit(by).catch(() => undefined)
    offerUndo({ title, undone, undo: () => edit(back) })
  }

  const without = (favourite: Favourite) => (now: readonly Favourite[]) =>
    now.filter(other => !isSame(other, favourite))
  const withIt = (favourite: Favourite, at: number) => (now: readonly Favourite[]) =>
    without(favourite)(now).toSpliced(at, 0, favourite)
  return {
    add: (favourite: Favourite) =>
      change(withIt(favourite, Infinity), without(favourite), {
        title: `${nameOf(favourite)} is a favourite`,
        undone: `${nameOf(favourite)} is no favourite any more`
      }),
    remove: (favourite: Favourite, at: number) =>
      change(without(favourite), withIt(favourite, at), {
        title: `${nameOf(favourite)} is no favourite any more`,
        undone: `${nameOf(favourite)} is a favourite again`
      }),
    /** To another place. */
    move: (favourite: Favourite, from: number, to: number) =>
      change(withIt(favourite, to), withIt(favourite, from), {
        title: `${nameOf(favourite)} is moved`,
        undone: `${nameOf(favourite)} is where it was`
      })
  }
}
