export const ACTIVE_STATUSES = ['QUEUED', 'RUNNING', 'WAITING'] as const
export const END_STATUSES = ['SUCCEEDED', 'FAILED', 'CANCELED'] as const
export const RUN_STATUSES = [...ACTIVE_STATUSES, ...END_STATUSES] as const
export type RunStatus = (typeof RUN_STATUSES)[number]
