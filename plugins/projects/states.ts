export const PROJECT_STATES = ['PLANNED', 'STARTED', 'PAUSED', 'COMPLETED', 'CANCELED'] as const
export type ProjectState = (typeof PROJECT_STATES)[number]

export const HEALTHS = ['ON_TRACK', 'AT_RISK', 'OFF_TRACK'] as const
export type Health = (typeof HEALTHS)[number]
