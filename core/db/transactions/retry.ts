const RETRIED = new Set(['40001', '40P01', '55P03']) // serialization_failure, deadlock_detected, lock_not_available
const MAX_ATTEMPTS = 5

export const isConflict = (error: unknown): boolean => RETRIED.has((error as { code?: string } | undefined)?.code ?? '')

/** Retries a whole transaction after deadlocks, serialisation failures and locks refused at once (`nowait`). */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (n === MAX_ATTEMPTS || !isConflict(error)) throw error
    }
  }
}
