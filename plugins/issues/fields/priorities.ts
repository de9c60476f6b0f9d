/** Priorities by their numbers, as REST and tools name them, and as the history and the web interface do. */
export const PRIORITIES = ['none', 'urgent', 'high', 'medium', 'low'] as const
export const PRIORITY_NAMES = ['No priority', 'Urgent', 'High', 'Medium', 'Low'] as const
