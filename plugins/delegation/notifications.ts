import { notifiesOf } from '../inbox/contract.ts'
import { runFinished } from './contract.ts'

/** Notifies the watchers of the issue and the requester of a failed run, also if the requester ended it. */
export const failedRuns = notifiesOf(runFinished, async ({ data }, { notify, watcherIds }) => {
  if (data.status !== 'FAILED') return
  notify('run_failed', new Set([...(await watcherIds()), data.requestedById]), { always: true })
})
