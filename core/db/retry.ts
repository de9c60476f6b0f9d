const RETRIED = new Set(['40001', '40P01']) // serialization_failure, deadlock_detected
const MAX_ATTEMPTS = 5

/** Runs `attempt`, a whole transaction; after a deadlock or serialisation failure again, five times at most. */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (n === MAX_ATTEMPTS || !RETRIED.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}
