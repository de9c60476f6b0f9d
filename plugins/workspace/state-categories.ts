/** In the order in which an issue passes through them, and in which they are listed. */
export const STATE_CATEGORIES = ['TRIAGE', 'BACKLOG', 'UNSTARTED', 'STARTED', 'COMPLETED', 'CANCELED'] as const
export type StateCategory = (typeof STATE_CATEGORIES)[number]
