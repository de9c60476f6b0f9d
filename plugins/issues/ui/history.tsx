import { api, Avatar, Time } from '../../ui/browser/contract.ts'
import type { Issue, TimelineEntry, TimelineSource } from './contract.ts'
import type { Context } from './data.ts'
import styles from './timeline.module.css'

type Change = TimelineEntry & Context['history'][number]

/** `set the state to Done`, in the words of the history. */
function describe({ change, from, to }: Change): string {
  if (to === null) return `removed the ${change} ${from ?? ''}`
  if (from === null) return `set the ${change} to ${to}`
  return `changed the ${change} from ${from} to ${to}`
}

/** The history of an issue, in its line of time. */
export const historySource = {
  name: 'history',
  async load({ key }: Issue, signal: AbortSignal): Promise<Change[]> {
    const { history } = await api<Context>(`/v1/issues/${key}/context`, { signal })
    return history.map((change, at) => ({ ...change, id: `${change.at} ${at}` }))
  },
  Entry({ entry }: { entry: TimelineEntry }) {
    const change = entry as Change
    return (
      <p className={styles['change']}>
        <Avatar name={change.actor} />
        <strong>{change.actor}</strong> {describe(change)} <Time at={change.at} />
      </p>
    )
  }
} satisfies TimelineSource
