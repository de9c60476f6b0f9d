import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, useRequest } from '../../../ui/browser/contract.ts'
import type { StateCategory } from '../contract.ts'

export interface State {
  id: string
  name: string
  category: StateCategory
  position: number
  color: string
}

export const useTeamRequest = () => useRequest('teams', 'states', 'directory')

const statesKey = (teamId: string) => ['states', teamId]
/** The states of a team, by category and position. */
export const useStates = (teamId: string): readonly State[] =>
  useQuery({
    queryKey: statesKey(teamId),
    queryFn: ({ signal }) => api<State[]>(`/v1/${teamId}/workflows`, { signal })
  }).data ?? []

/** A position between two others; undefined: there is none. */
function between(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined) return (after ?? 1) - 1
  if (after === undefined) return before + 1
  const middle = (before + after) / 2
  return before < middle && middle < after ? middle : undefined
}

/** Puts a state at another place among those of its category, which is displayed at once. */
export function useMoveState(teamId: string) {
  const client = useQueryClient()
  const { mutate, error } = useTeamRequest()
  function put(state: State, position: number): void {
    if (state.position === position) return
    client.setQueryData<State[]>(statesKey(teamId), now =>
      now
        ?.map(each => (each.id === state.id ? { ...each, position } : each))
        .toSorted((a, b) => (a.category === b.category ? a.position - b.position : 0))
    )
    const body = { position, previous: { position: state.position } }
    mutate({ path: `/v1/${teamId}/workflows/${state.id}`, body })
  }
  /** @param states those of a category */
  function move(states: readonly State[], from: number, to: number): void {
    const state = states[from]!
    const others = states.toSpliced(from, 1)
    const position = between(others[to - 1]?.position, others[to]?.position)
    if (position !== undefined) return put(state, position)
    // An import may have brought equal positions.
    others.toSpliced(to, 0, state).forEach((each, n) => put(each, n))
  }
  return { move, error }
}

/** Why a state or a team with issues cannot be removed: asked when its menu is opened. */
export function useWhyKept(filters: object) {
  const { data, refetch } = useQuery({
    queryKey: ['issues-in', filters],
    queryFn: ({ signal }) =>
      api<{ total: number }>('/v1/issues/filter', { body: { filters, page: 1, perPage: 1 }, signal }),
    enabled: false
  })
  const total = data?.total
  const whyNot =
    total === 0
      ? undefined
      : total === undefined
        ? 'Are there issues in it?'
        : total === 1
          ? 'An issue is in it: move it first.'
          : `${total} issues are in it: move them first.`
  return { whyNot, ask: () => refetch() }
}
