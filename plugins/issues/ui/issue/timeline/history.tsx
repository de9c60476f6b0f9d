import { api, Time } from '../../../../ui/browser/contract.ts'
import { AccountAvatar } from '../../../../workspace/ui/contract.ts'
import { timelineKey, type Issue, type TimelineEntry, type TimelineSource } from '../../contract.ts'
import { TimelineLine } from './timeline-line.tsx'

interface HistoryEntry {
  at: string
  actor: string
  change: string
  from: string | null
  to: string | null
}
type Change = TimelineEntry & HistoryEntry

/** Readable names of fields, if the history's differ. */
const NAMES: Readonly<Record<string, string>> = { dueDate: 'due date' }

/** `set the state to Done`, in the words of the history. */
function describe({ change: field, from, to }: Change): string {
  const change = NAMES[field] ?? field
  if (from === null && to === null) return `changed the ${change}`
  if (to === null) return `removed the ${change} ${from ?? ''}`
  if (from === null) return `set the ${change} to ${to}`
  return `changed the ${change} from ${from} to ${to}`
}

export const historySource = {
  name: 'history',
  query: issue => ({
    queryKey: timelineKey(issue, 'history'),
    queryFn: ({ signal }) => api<HistoryEntry[]>(`/v1/issues/${issue.id}/history`, { signal })
  }),
  entries: (history: HistoryEntry[]): Change[] =>
    history.map((change, at) => ({ ...change, id: `${change.at} ${at}` })),
  Entry({ entry: change }: { issue: Issue; entry: Change }) {
    return (
      <TimelineLine>
        <AccountAvatar name={change.actor} />
        <strong>{change.actor}</strong> {describe(change)} <Time at={change.at} />
      </TimelineLine>
    )
  }
} satisfies TimelineSource
