/** Priorities by their numbers, as the history names them. */
export const PRIORITIES = ['No priority', 'Urgent', 'High', 'Medium', 'Low'] as const
