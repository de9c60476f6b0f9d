import { useQuery } from '@tanstack/react-query'
import type { Issue } from '../../issues/ui/contract.ts'
import type { Plan } from '../../projects/ui/contract.ts'
import { api, ErrorNote } from '../../ui/browser/contract.ts'
import type { Sums } from '../contract.ts'
import { dollars } from '../dollars.ts'
import styles from './usage.module.css'

export const USAGE = 'usage'
const MAX_AGENTS = 200

interface Answer {
  total: Sums
  items: Array<Sums & { id: string | null; name: string | null }>
}

/** Nothing if none was reported. */
export const UsageOfIssue = ({ issue: { id } }: { issue: Issue }) => <Usage selection={`issueId=${id}`} />
export const UsageOfPlan = ({ plan: { kind, id } }: { plan: Plan }) => <Usage selection={`${kind}Id=${id}`} />

function Usage({ selection }: { selection: string }) {
  const { data } = useQuery({
    queryKey: [USAGE, selection],
    queryFn: ({ signal }) => api<Answer>(`/v1/usage?by=model&${selection}`, { signal })
  })
  if (!data || data.items.length === 0) return null
  return (
    <section aria-label="Usage" className={styles['usage']}>
      <h2>Usage</h2>
      <p className={styles['line']}>{textOf(data.total)}</p>
      {data.items.length > 1 && (
        <ul>
          {data.items.map(({ name, ...sums }) => (
            <li key={name}>
              {name}: {textOf(sums)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** One request fetches the sums of all agents. */
export function UsageOfAgent({ agentId }: { agentId: string }) {
  const { data, error } = useQuery({
    queryKey: [USAGE, 'agents'],
    queryFn: ({ signal }) => api<Answer>(`/v1/usage?by=agent&limit=${MAX_AGENTS}`, { signal })
  })
  if (error) return <ErrorNote error={error} />
  const sums = data?.items.find(({ id }) => id === agentId)
  return sums ? <p className={styles['line']}>{textOf(sums)}</p> : null
}

const tokens = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `$0.34 · 13.7K tokens in, 592 out, 28K cached` */
function textOf({ inputTokens, outputTokens, cachedTokens, ...cost }: Sums): string {
  const cached = cachedTokens > 0 ? `, ${tokens.format(cachedTokens)} cached` : ''
  return `${costText(cost)} · ${tokens.format(inputTokens)} tokens in, ${tokens.format(outputTokens)} out${cached}`
}

function costText({ costUsd, estimated, costUnknown }: Pick<Sums, 'costUsd' | 'estimated' | 'costUnknown'>): string {
  if (costUsd === undefined) return 'Cost unknown'
  return `${dollars(costUsd)}${estimated ? ' (estimated)' : ''}${costUnknown ? ' and work of unknown cost' : ''}`
}
