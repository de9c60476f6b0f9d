import { useQuery } from '@tanstack/react-query'
import { api, reportProblem, useListChanges } from '../../../ui/browser/contract.ts'
import type { Favourite } from '../contract.ts'

const favouritesQuery = { queryKey: ['favourites'], queryFn: () => api<Favourite[]>('/v1/favourites') }

export const useFavourites = (): readonly Favourite[] => useQuery(favouritesQuery).data ?? []
export const isSame = (a: Pick<Favourite, 'type' | 'id'>, b: Pick<Favourite, 'type' | 'id'>): boolean =>
  a.type === b.type && a.id === b.id

export const nameOf = ({ key, name }: Favourite): string => (key === undefined ? name : `${key} ${name}`)

export function useFavouriteChanges() {
  const { change } = useListChanges({
    query: favouritesQuery,
    send: favourites =>
      api('/v1/favourites', { method: 'PUT', body: { favourites: favourites.map(({ type, id }) => ({ type, id })) } }),
    onError: reportProblem
  })
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
    move: (favourite: Favourite, from: number, to: number) =>
      change(withIt(favourite, to), withIt(favourite, from), {
        title: `${nameOf(favourite)} is moved`,
        undone: `${nameOf(favourite)} is where it was`
      })
  }
}
