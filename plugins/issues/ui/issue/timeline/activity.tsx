import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, contributions, Time } from '../../../../ui/browser/contract.ts'
import { AccountAvatar } from '../../../../workspace/ui/contract.ts'
import { descriptionEdits, timelineKey, type ActivityEntry, type Issue } from '../../contract.ts'
import { TimelineLine } from './timeline-line.tsx'
import styles from './timeline.module.css'
import { fieldsOf, joined, sentenceOf } from './words.ts'

interface ActivityPage {
  activity: ActivityEntry[]
  nextCursor: string | null
}

/** The activity of an issue, newest first: the pages that are displayed. */
export const activityQuery = (issue: Issue) =>
  infiniteQueryOptions({
    queryKey: timelineKey(issue, 'activity'),
    queryFn: ({ pageParam, signal }) =>
      api<ActivityPage>(`/v1/issues/${issue.id}/activity${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`, {
        signal
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor
  })

/** More changes are folded. */
const MAX_CHANGES = 3

export function ActivityLine({ issue, entry }: { issue: Issue; entry: ActivityEntry }) {
  const { actor, at, changes } = entry
  const isFolded = changes.length > MAX_CHANGES
  const line = (
    <TimelineLine>
      <AccountAvatar name={actor.fullname} id={actor.id} />
      <strong>{actor.fullname}</strong>{' '}
      <span>
        {isFolded
          ? `made ${changes.length} changes: ${fieldsOf(changes)}`
          : joined(changes.map(change => sentenceOf(change)))}
      </span>{' '}
      <Time at={at} />
    </TimelineLine>
  )
  return (
    <div className={styles['activity']}>
      {isFolded ? (
        <details>
          <summary>{line}</summary>
          {changes.map((change, n) => (
            <p key={n}>{sentenceOf(change)}</p>
          ))}
        </details>
      ) : (
        line
      )}
      {changes.some(({ change }) => change === 'description') &&
        contributions(descriptionEdits).map((Edits, n) => <Edits key={n} issue={issue} entry={entry} />)}
    </div>
  )
}
