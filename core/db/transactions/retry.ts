const RETRIED = new Set(['40001', '40P01', '55P03']) // serialization_failure, deadlock_detected, lock_not_available
const MAX_ATTEMPTS = 5

/** True if the transaction may succeed when it is repeated. */
export const isConflict = (error: unknown): boolean => RETRIED.has((error as { code?: string } | undefined)?.code ?? '')

/**
 * Runs `attempt`, a whole transaction; retries after a deadlock, a serialisation failure or a lock refused at once
 * (`nowait`), five attempts in all.
 */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (n === MAX_ATTEMPTS || !isConflict(error)) throw error
    }
  }
}
