import { useQuery } from '@tanstack/react-query'
import { Button, ErrorNote, Time, useSession } from '../../../ui/browser/contract.ts'
import type { Issue } from '../contract.ts'
import { isPast, useChange } from '../data.ts'
import { contextQuery } from '../issue/context-query.ts'
import styles from '../issue/issue.module.css'

/** Who else works on an issue, since when, and a way to take it over. */
export function ClaimBanner({ issue }: { issue: Issue }) {
  const { data: context } = useQuery(contextQuery(issue.key))
  const session = useSession()
  const { mutate, error, isPending } = useChange(issue)
  const claim = context?.claim
  if (!claim || claim.holder.id === session?.account?.id) return null
  const { holder, since, expiresAt } = claim
  const hasLapsed = isPast(expiresAt)
  return (
    <section className={styles['claim']} aria-label="Claim">
      <p>
        <strong>{holder.fullname}</strong> {hasLapsed ? 'worked' : 'works'} on this since <Time at={since} />
        {hasLapsed && expiresAt !== undefined && (
          <>
            ; the claim expired <Time at={expiresAt} />
          </>
        )}
      </p>
      <Button disabled={isPending} onClick={() => mutate({ path: '/pick_up', body: { takeover: true } })}>
        Take over
      </Button>
      {error && <ErrorNote error={error} />}
    </section>
  )
}
