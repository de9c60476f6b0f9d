const DAY_MS = 86_400_000

/** The time that is a number of days of 24 hours before another. */
export const daysBefore = (time: Date, days: number): Date => new Date(time.getTime() - days * DAY_MS)
