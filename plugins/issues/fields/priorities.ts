/** Priorities by number, with the names in REST, tools, history and web interface. */
export const PRIORITIES = ['none', 'urgent', 'high', 'medium', 'low'] as const
export const PRIORITY_NAMES = ['No priority', 'Urgent', 'High', 'Medium', 'Low'] as const
