import { Time } from '../../ui/browser/contract.ts'
import { AccountAvatar } from '../../workspace/ui/contract.ts'
import type { Issue, TimelineEntry, TimelineSource } from './contract.ts'
import { contextQuery, type Context } from './data.ts'
import { TimelineLine } from './timeline-line.tsx'

type Change = TimelineEntry & Context['history'][number]

/** `set the state to Done`, in the words of the history. */
function describe({ change, from, to }: Change): string {
  if (to === null) return `removed the ${change} ${from ?? ''}`
  if (from === null) return `set the ${change} to ${to}`
  return `changed the ${change} from ${from} to ${to}`
}

/** The history of an issue, in its timeline. */
export const historySource = {
  name: 'history',
  query: ({ key }) => contextQuery(key),
  entries: ({ history }: Context): Change[] => history.map((change, at) => ({ ...change, id: `${change.at} ${at}` })),
  Entry({ entry: change }: { issue: Issue; entry: Change }) {
    return (
      <TimelineLine>
        <AccountAvatar name={change.actor} />
        <strong>{change.actor}</strong> {describe(change)} <Time at={change.at} />
      </TimelineLine>
    )
  }
} satisfies TimelineSource
