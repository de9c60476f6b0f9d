import { toApiError } from '../../../core/api/errors.ts'
import { beginAttempt } from './attempts.ts'
import type { Ctx } from '../context.ts'
import { Execution } from './execution.ts'
import type { RunName } from '../queries/runs.ts'
import type { Runs } from './runs.ts'

/** Seconds between TERM and KILL when the server is stopping. */
const HURRY_SECONDS = 1

export function makeWorker(ctx: Ctx, runs: Runs) {
  const running = new Map<string, { execution: Execution; over: Promise<void> }>()
  let stopping = false

  async function take(name: RunName): Promise<void> {
    if (stopping) return
    const attempt = await beginAttempt(ctx, name)
    if (!attempt) return
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const execution = new Execution(ctx, runs, attempt)
    running.set(attempt.id, { execution, over })
    try {
      await execution.run()
    } catch (error) {
      ctx.log.error({ err: error, runId: attempt.id }, 'a run could not be executed')
      if (toApiError(error)?.code === 'OVERLOADED') return // temporary: the lease expires, and the run is started again
      await runs.finish(attempt, {
        status: 'FAILED',
        reason: 'SERVER_ERROR',
        message: 'The server could not execute it; search its log for this run’s id.'
      })
    } finally {
      running.delete(attempt.id)
      resolve()
    }
  }

  return {
    take,
    running: () => running.size,
    /** Ends the command of a run that this process has ended, without waiting for the next poll. */
    ended({ id }: RunName): void {
      running.get(id)?.execution.stop('taken away')
    },
    async stop(): Promise<void> {
      stopping = true
      const all = [...running.values()]
      for (const { execution } of all) {
        execution.stop({ requeue: 'The server is stopping. The run is started again.' }, HURRY_SECONDS)
      }
      await Promise.all(all.map(({ over }) => over))
    }
  }
}

export type Worker = ReturnType<typeof makeWorker>
