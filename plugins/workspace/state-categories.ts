/** In the order in which an issue passes through them, and in which they are listed. */
export const STATE_CATEGORIES = ['TRIAGE', 'BACKLOG', 'UNSTARTED', 'STARTED', 'COMPLETED', 'CANCELED'] as const
export type StateCategory = (typeof STATE_CATEGORIES)[number]

/** Whether an issue in a state of this category is done with, one way or the other. */
export const isClosed = (category: StateCategory): boolean => category === 'COMPLETED' || category === 'CANCELED'
