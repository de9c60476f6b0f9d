const DAY_MS = 86_400_000

/** The time so many days of 24 hours before another. */
export const daysBefore = (time: Date, days: number): Date => new Date(time.getTime() - days * DAY_MS)
