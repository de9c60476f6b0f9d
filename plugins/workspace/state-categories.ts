/** In the order of an issue's progress, in which they are listed. */
export const STATE_CATEGORIES = ['TRIAGE', 'BACKLOG', 'UNSTARTED', 'STARTED', 'COMPLETED', 'CANCELED'] as const
export type StateCategory = (typeof STATE_CATEGORIES)[number]

export const isClosed = (category: StateCategory): boolean => category === 'COMPLETED' || category === 'CANCELED'
