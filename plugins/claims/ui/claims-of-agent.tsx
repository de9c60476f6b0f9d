import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { StateIcon, type Row } from '../../issues/ui/contract.ts'
import { api, ErrorNote, Skeleton, Time } from '../../ui/browser/contract.ts'
import { useDirectory } from '../../workspace/ui/contract.ts'
import styles from './claims.module.css'
import { isPast } from './is-past.ts'

export const CLAIMS_OF_AGENTS = 'claims-of-agents'
const MAX_CLAIMS = 200

/** The issues that an agent has claims on. One request fetches the claims of all agents. */
export function ClaimsOfAgent({ agentId }: { agentId: string }) {
  const agentIds = useDirectory()?.members.flatMap(({ id, kind }) => (kind === 'AGENT' ? [id] : [])) ?? []
  const { data, error } = useQuery({
    queryKey: [CLAIMS_OF_AGENTS, agentIds],
    queryFn: ({ signal }) =>
      api<{ issues: Row[]; nextCursor: string | null }>('/v1/issues/filter', { body: claimsOf(agentIds), signal }),
    enabled: agentIds.length > 0
  })
  if (error) return <ErrorNote error={error} />
  if (!data) return <Skeleton lines={1} />
  const claimed = data.issues.filter(({ claim }) => claim?.holderId === agentId)
  if (claimed.length === 0) return <p className={styles['none']}>No current work.</p>
  return (
    <ul className={styles['claims']} data-rows>
      {claimed.map(row => (
        <ClaimLine key={row.id} row={row} />
      ))}
      {data.nextCursor !== null && (
        <li className={styles['none']}>
          Only the {MAX_CLAIMS} last updated issues of all agents are shown. The list has all.
        </li>
      )}
    </ul>
  )
}

const claimsOf = (agentIds: readonly string[]) => ({
  filters: {
    stateCategory: { filterType: 'IS', value: ['STARTED'] },
    assignee: { filterType: 'IS', value: agentIds }
  },
  view: 'board',
  perPage: MAX_CLAIMS,
  total: 'none'
})

function ClaimLine({ row }: { row: Row }) {
  const { key, title, stateCategory, criteria, claim, assignedAt } = row
  const expiresAt = claim?.expiresAt
  return (
    <li>
      <Link href={`/issue/${key}`}>
        <StateIcon category={stateCategory} />
        <span className={styles['meta']}>{key}</span>
        <span className={styles['title']}>{title}</span>
        {criteria && (
          <span className={styles['meta']}>
            {criteria.met}/{criteria.total} criteria
          </span>
        )}
        {assignedAt !== undefined && (
          <span className={styles['meta']}>
            since <Time at={assignedAt} />
          </span>
        )}
        {expiresAt !== undefined && isPast(expiresAt) && (
          <span className={styles['meta']} data-lapsed>
            expired <Time at={expiresAt} />
          </span>
        )}
      </Link>
    </li>
  )
}
