/** In the order of an issue's progress, in which they are listed. */
export const STATE_CATEGORIES = ['TRIAGE', 'BACKLOG', 'UNSTARTED', 'STARTED', 'COMPLETED', 'CANCELED'] as const
export type StateCategory = (typeof STATE_CATEGORIES)[number]

/** States by their team and name; of several the first. */
export function statesByName<S extends { teamId: string; name: string }>(states: readonly S[]): ReadonlyMap<string, S> {
  const named = new Map<string, S>()
  for (const state of states) {
    const key = `${state.teamId} ${state.name}`
    if (!named.has(key)) named.set(key, state)
  }
  return named
}

export const isClosed = (category: StateCategory): boolean => category === 'COMPLETED' || category === 'CANCELED'
