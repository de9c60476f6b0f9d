import { notifiesOf } from '../inbox/contract.ts'
import { runFinished } from './contract.ts'

/**
 * Notifies the watchers of the issue and the requester of a failed run, also if the requester ended it, and of one
 * whose work waits for a review.
 */
export const endedRuns = notifiesOf(runFinished, async ({ data }, { notify, watcherIds }) => {
  const reason = data.status === 'FAILED' ? 'run_failed' : data.hasResult ? 'run_result' : undefined
  if (reason === undefined) return
  notify(reason, new Set([...(await watcherIds()), data.requestedById]), { always: true })
})
