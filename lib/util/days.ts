export const DAY_MS = 86_400_000

export const daysBefore = (time: Date, days: number): Date => new Date(time.getTime() - days * DAY_MS)
