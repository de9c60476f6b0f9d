import { useQuery } from '@tanstack/react-query'
import { api, dayText } from '../../../ui/browser/contract.ts'
import type { CarryOver } from '../../cycles/spans.ts'
import type { Cycle } from '../data.ts'

export { MAX_WEEKS, type CarryOver, type CarryOverRule, type Repetition, type StartDay } from '../../cycles/spans.ts'

export const CYCLE_QUERIES = ['cycles', 'cycle-progress', 'cycle-counts', 'context', 'issues', 'issue'] as const

export interface Counts {
  scope: number
  started: number
  completed: number
}
export interface Amounts {
  issues: Counts
  points: Counts
}
export type Unit = keyof Amounts
export interface Moves {
  total: number
  issues: Array<{ id: string; key: string; title: string; at: string }>
}
export interface CycleProgress extends Amounts {
  days: Array<Amounts & { day: string }>
  added: Moves
  removed: Moves
  assignees: Array<Amounts & { accountId: string | null }>
}
/** Now, without canceled ones. */
export interface CycleCounts {
  cycleId: string
  total: number
  started: number
  completed: number
}
export interface ClosedCycle extends Cycle {
  carryOver: CarryOver
  moved: number
}

export const useCycleProgress = (id: string) =>
  useQuery({
    queryKey: ['cycle-progress', id],
    queryFn: ({ signal }) => api<CycleProgress>(`/v1/cycles/${id}/progress`, { signal })
  })
export const useCycleCounts = () =>
  useQuery({
    queryKey: ['cycle-counts'],
    queryFn: ({ signal }) => api<CycleCounts[]>('/v1/cycles/progress', { signal })
  })

/** Undefined: unknown yet. */
export function useOpenIssues(cycleId: string): number | undefined {
  const { data } = useCycleCounts()
  if (!data) return undefined
  const { total, completed } = data.find(counts => counts.cycleId === cycleId) ?? { total: 0, completed: 0 }
  return total - completed
}

export type Phase = 'current' | 'upcoming' | 'past'
export function phaseOf({ startsAt, endsAt, closedAt }: Cycle): Phase {
  const now = Date.now()
  if (closedAt !== undefined || Date.parse(endsAt) <= now) return 'past'
  return Date.parse(startsAt) <= now ? 'current' : 'upcoming'
}

export const nextOf = (cycle: Cycle, cycles: readonly Cycle[]): Cycle | undefined =>
  cycles.find(
    other =>
      other.teamId === cycle.teamId &&
      other.id !== cycle.id &&
      other.startsAt > cycle.startsAt &&
      phaseOf(other) !== 'past'
  )

/** UTC. */
export const daysOf = ({ startsAt, endsAt }: Cycle): readonly [string, string] => [
  startsAt.slice(0, 10),
  new Date(Date.parse(endsAt) - 1).toISOString().slice(0, 10)
]
export const spanText = (cycle: Cycle): string => {
  // A line may end between the days, not within one.
  const [first, last] = daysOf(cycle).map(day => dayText(day).replaceAll(' ', '\u00a0')) as [string, string]
  return first === last ? first : `${first} – ${last}`
}

/** `4 open issues` */
export const openText = (n: number): string => `${n} open ${n === 1 ? 'issue' : 'issues'}`

export const listOf = (...terms: readonly string[]): string => `/issues?filter=${terms.join('+')}`
