import {
  timelineKey,
  TimelineLine,
  type Issue,
  type TimelineEntry,
  type TimelineSource
} from '../../issues/ui/contract.ts'
import { api, Avatar, Time } from '../../ui/browser/contract.ts'

interface Reminder extends TimelineEntry {
  account: { id: string; fullname: string }
  harness: string
  session: string
  quietSince: string | null
}

export const reminderSource = {
  name: 'reminders',
  query: issue => ({
    queryKey: timelineKey(issue, 'reminders'),
    queryFn: ({ signal }) => api<Reminder[]>(`/v1/issues/${issue.id}/reminders`, { signal })
  }),
  entries: (reminders: Reminder[]) => reminders,
  Entry({ entry: { account, harness, session, quietSince, at } }: { issue: Issue; entry: Reminder }) {
    return (
      <TimelineLine>
        <Avatar name={account.fullname} id={account.id} isAgent />
        <strong>{account.fullname}</strong>{' '}
        {quietSince === null ? 'was informed that this is its current task' : 'was reminded to report progress'}
        {`, by its hook in ${harness}${session === '' ? '' : ` (${session})`}`} <Time at={at} />
      </TimelineLine>
    )
  }
} satisfies TimelineSource
