import { notifiesOf } from '../inbox/contract.ts'
import { runFinished } from './contract.ts'

/** A run that failed is told to the watchers of its issue and to who requested it, also when that is who ended it. */
export const failedRuns = notifiesOf(runFinished, async ({ data }, { notify, watcherIds }) => {
  if (data.status !== 'FAILED') return
  notify('run_failed', new Set([...(await watcherIds()), data.requestedById]), { always: true })
})
