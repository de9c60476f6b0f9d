import { toApiError } from '../../core/errors.ts'
import { beginAttempt } from './attempts.ts'
import type { Ctx } from './context.ts'
import { Execution } from './execution.ts'
import type { RunName } from './queries/runs.ts'
import type { Runs } from './runs.ts'

/** Seconds between TERM and KILL when the server itself is about to end. */
const HURRY_SECONDS = 1

/** Does the work of runs in this process. */
export function makeWorker(ctx: Ctx, runs: Runs) {
  const running = new Map<string, { execution: Execution; over: Promise<void> }>()
  let stopping = false

  /** Takes the run if it waits, and sees it to its end. */
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
      ctx.log.error({ err: error, runId: attempt.id }, 'a run could not be carried out')
      if (toApiError(error)?.code === 'OVERLOADED') return // passes: the lease runs out, and the run is begun again
      await runs.finish(attempt, {
        status: 'FAILED',
        reason: 'SERVER_ERROR',
        message: 'The server could not carry it out; its log has this run’s id.'
      })
    } finally {
      running.delete(attempt.id)
      resolve()
    }
  }

  return {
    take,
    running: () => running.size,
    /** The run was ended by a request that this process answered: no need to wait for the next poll. */
    ended({ id }: RunName): void {
      running.get(id)?.execution.stop('taken away')
    },
    /** Ends every command and gives the runs back. */
    async stop(): Promise<void> {
      stopping = true
      const all = [...running.values()]
      for (const { execution } of all) {
        execution.stop({ giveBack: 'The server stops. It is begun again.' }, HURRY_SECONDS)
      }
      await Promise.all(all.map(({ over }) => over))
    }
  }
}

export type Worker = ReturnType<typeof makeWorker>
