import { toApiError } from '../api/errors.ts'

/**
 * Calls `work` for each item in turn, and continues after failures.
 * @throws at the end, when any failed; at once, when the database is unavailable
 */
export async function eachSeparately<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      if (toApiError(error)?.statusCode === 503) throw error
      failures.push(error)
    }
  }
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, `it has failed for ${failures.length} of them`)
}
