import { useQuery } from '@tanstack/react-query'
import { ErrorNote, Skeleton } from '../../../ui/browser/contract.ts'
import { AccountAvatar, useDirectory } from '../../../workspace/ui/contract.ts'
import { isMissing, issueQuery } from '../data.ts'
import { StateIcon } from '../issue/state-icon.tsx'
import styles from './cards.module.css'

/** Events renew cards meanwhile. */
const CARD_STALE_MS = 60_000

/** @param of as `cardOfIssue` and `cardOfMember` make it */
export default function Card({ of }: { of: string }) {
  const [kind, id = ''] = of.split(' ')
  return kind === 'issue' ? <IssueCard issueKey={id} /> : <MemberCard id={id} />
}

function IssueCard({ issueKey }: { issueKey: string }) {
  const { data: issue, error } = useQuery({ ...issueQuery(issueKey), staleTime: CARD_STALE_MS })
  const directory = useDirectory()
  if (isMissing(error)) return <p>There is no issue {issueKey}.</p>
  if (error) return <ErrorNote error={error} />
  if (!issue || !directory) return <Skeleton />
  const state = directory.teams.flatMap(({ states }) => states).find(({ id }) => id === issue.stateId)
  const assignee = directory.members.find(({ id }) => id === issue.assigneeId)
  return (
    <>
      <p className={styles['line']}>
        <StateIcon category={issue.stateCategory} />
        <span>{state?.name}</span>
        <span className={styles['key']}>{issue.key}</span>
      </p>
      <p className={styles['title']} dir="auto">
        {issue.title}
      </p>
      <p className={styles['line']}>
        {assignee ? (
          <>
            <AccountAvatar name={assignee.fullname} id={assignee.id} />
            <span>{assignee.fullname}</span>
          </>
        ) : (
          <span>Assigned to nobody</span>
        )}
      </p>
    </>
  )
}

function MemberCard({ id }: { id: string }) {
  const member = useDirectory()?.members.find(member => member.id === id)
  if (!member) return <Skeleton />
  return (
    <p className={styles['line']}>
      <AccountAvatar name={member.fullname} id={id} />
      <span className={styles['title']} dir="auto">
        {member.fullname}
      </span>
      <span className={styles['key']}>{member.kind === 'AGENT' ? 'Agent' : 'Person'}</span>
    </p>
  )
}
