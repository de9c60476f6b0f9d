import { useQuery } from '@tanstack/react-query'
import { api, useListChanges, useRequest } from '../../../ui/browser/contract.ts'
import { sortStates, type State as DirectoryState } from '../directory.ts'

export interface State extends DirectoryState {
  color: string
}

export const useTeamRequest = () => useRequest('teams', 'states', 'directory')

const statesQuery = (teamId: string) => ({
  queryKey: ['states', teamId],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    sortStates(await api<State[]>(`/v1/${teamId}/workflows`, { signal }))
})
export const useStates = (teamId: string): readonly State[] => useQuery(statesQuery(teamId)).data ?? []

/** Undefined: there is none. */
function between(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined) return (after ?? 1) - 1
  if (after === undefined) return before + 1
  const middle = (before + after) / 2
  return before < middle && middle < after ? middle : undefined
}

function withMoved(states: readonly State[], id: string, to: number): State[] {
  const state = states.find(each => each.id === id)
  const others = states.filter(each => each.id !== id && each.category === state?.category)
  if (!state) return [...states]
  const position = between(others[to - 1]?.position, others[to]?.position)
  const positions =
    position === undefined
      ? // An import may have brought equal positions: all get new ones.
        new Map(others.toSpliced(to, 0, state).map((each, n) => [each.id, n]))
      : new Map([[id, position]])
  return sortStates(states.map(each => ({ ...each, position: positions.get(each.id) ?? each.position })))
}

export function useMoveState(teamId: string) {
  const { change, error } = useListChanges({
    query: statesQuery(teamId),
    others: ['directory'],
    async send(next, before) {
      for (const { id, position } of next) {
        const previous = before.find(state => state.id === id)?.position
        const body = { position, previous: { position: previous } }
        if (position !== previous) await api(`/v1/${teamId}/workflows/${id}`, { body })
      }
    }
  })
  const move = ({ id, name }: State, from: number, to: number): void =>
    change(
      states => withMoved(states, id, to),
      states => withMoved(states, id, from),
      { title: `${name} is moved`, undone: `${name} is where it was` }
    )
  return { move, error }
}

/** Issues are counted when the menu is opened; when that fails, the removal is offered, and the server decides. */
export function useIssuesWithin(filters: object) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['issues-in', filters],
    queryFn: ({ signal }) =>
      api<{ total: number }>('/v1/issues/filter', { body: { filters, page: 1, perPage: 1 }, signal }),
    enabled: false,
    retry: false
  })
  return { whyNot: isError ? undefined : reasonToKeep(data?.total), count: () => refetch() }
}

/** @param total undefined: unknown yet */
function reasonToKeep(total: number | undefined): string | undefined {
  if (total === 0) return undefined
  if (total === undefined) return 'Counting its issues…'
  return total === 1 ? 'An issue is in it: move it first.' : `${total} issues are in it: move them first.`
}
