import { useQuery } from '@tanstack/react-query'
import { contextQuery, useIssueRequest, type Issue } from '../../issues/ui/contract.ts'
import { Button, ErrorNote, Time, useSession } from '../../ui/browser/contract.ts'
import styles from './claims.module.css'
import { isPast } from './is-past.ts'

export function ClaimBanner({ issue }: { issue: Issue }) {
  const { data: context } = useQuery(contextQuery(issue.key))
  const session = useSession()
  const { mutate, error, isPending } = useIssueRequest()
  const claim = context?.claim
  if (!claim || claim.holder.id === session?.account?.id) return null
  const { holder, since, expiresAt } = claim
  const hasLapsed = isPast(expiresAt)
  return (
    <section className={styles['banner']} aria-label="Claim">
      <p>
        <strong>{holder.fullname}</strong> {hasLapsed ? 'worked' : 'works'} on this since <Time at={since} />
        {hasLapsed && expiresAt !== undefined && (
          <>
            ; the claim expired <Time at={expiresAt} />
          </>
        )}
      </p>
      <Button
        disabled={isPending}
        onClick={() => mutate({ path: `/v1/issues/${issue.id}/pick_up`, body: { takeover: true } })}
      >
        Take over
      </Button>
      {error && <ErrorNote error={error} />}
    </section>
  )
}
