import { DAY_MS } from '../../../lib/util/days.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { StateCategory } from '../../workspace/contract.ts'
import type { CycleRow } from './queries.ts'
import { FOLLOWED, type Followed, type InvolvedIssue } from '../queries/cycle-progress.ts'

/** A manual cycle may be longer: then they are its last ones. */
const MAX_DAYS = 366

interface Counts {
  scope: number
  started: number
  completed: number
}
export interface Amounts {
  issues: Counts
  points: Counts
}
export interface Move {
  id: Id
  at: Date
}
export interface CycleProgress extends Amounts {
  until: Date
  days: Array<Amounts & { day: string }>
  /** Newest first. */
  added: Move[]
  removed: Move[]
  /** By the id of an account or, from earlier releases, its name; null: nobody. */
  assignees: Map<string | null, Amounts>
}

export type CategoryOf = (state: string | null, teamId: Id) => StateCategory | undefined

const noCounts = (): Counts => ({ scope: 0, started: 0, completed: 0 })
const noAmounts = (): Amounts => ({ issues: noCounts(), points: noCounts() })

export function progressOf(
  cycle: CycleRow,
  issues: readonly InvolvedIssue[],
  categoryOf: CategoryOf,
  now: Date
): CycleProgress {
  const end = endOf(cycle)
  // A running cycle includes changes of this millisecond; an ended one excludes those at its end, made by its closing.
  const until = end <= now ? end : new Date(now.getTime() + 1)
  const days = daysUntil(cycle, until)
  const total = noAmounts()
  const progress: CycleProgress = {
    ...{ until: end <= now ? end : now, ...total, added: [], removed: [], assignees: new Map() },
    days: days.map(({ day }) => ({ day, ...noAmounts() }))
  }
  for (const issue of issues) {
    const past = new Past(issue, cycle)
    for (const [n, { to }] of days.entries()) {
      past.moveTo(to)
      past.addTo([progress.days[n]!], categoryOf)
    }
    past.moveTo(until)
    const { assignee } = past.values
    const own = progress.assignees.get(assignee) ?? noAmounts()
    if (past.addTo([total, own], categoryOf)) progress.assignees.set(assignee, own)
    if (past.isThere && past.isIn && past.at > cycle.startsAt) progress.added.push({ id: issue.id, at: past.at })
    if (!past.isIn && past.wasIn && past.at > cycle.startsAt) progress.removed.push({ id: issue.id, at: past.at })
  }
  for (const moves of [progress.added, progress.removed]) moves.sort((a, b) => b.at.getTime() - a.at.getTime())
  return progress
}

/** A cycle may be closed before its last day. */
export const endOf = ({ endsAt, closedAt }: Pick<CycleRow, 'endsAt' | 'closedAt'>): Date =>
  closedAt !== null && closedAt < endsAt ? closedAt : endsAt

/** Each day (UTC), with the time up to which it counts. */
function daysUntil({ startsAt }: CycleRow, until: Date): Array<{ day: string; to: Date }> {
  const first = Math.floor(startsAt.getTime() / DAY_MS) * DAY_MS
  const n = Math.max(0, Math.ceil((until.getTime() - first) / DAY_MS))
  const days = startsAt >= until ? [] : Array.from({ length: Math.min(n, MAX_DAYS) }, (_, i) => n - 1 - i).reverse()
  return days.map(i => ({
    day: new Date(first + i * DAY_MS).toISOString().slice(0, 10),
    to: new Date(Math.min(first + (i + 1) * DAY_MS, until.getTime()))
  }))
}

class Past {
  readonly values: Record<Followed, string | null>
  isThere = false
  isIn: boolean
  wasIn = false
  /** When it came into the cycle, or left it. */
  at: Date
  readonly #issue: InvolvedIssue
  readonly #cycle: CycleRow
  #next = 0

  constructor(issue: InvolvedIssue, cycle: CycleRow) {
    this.#issue = issue
    this.#cycle = cycle
    this.at = issue.createdAt
    const firstOf = (field: Followed) => issue.changes?.find(([changed]) => changed === field)
    this.values = { ...issue.values }
    for (const field of FOLLOWED) {
      const first = firstOf(field)
      if (first) this.values[field] = first[2]
    }
    this.isIn = this.#isCycle(this.values.cycle)
  }

  /** @param time not earlier than that of the last call; changes at this time are not included */
  moveTo(time: Date): void {
    const { changes, createdAt } = this.#issue
    this.isThere = createdAt < time
    for (let change = changes?.[this.#next]; change && new Date(change[1]) < time; change = changes?.[this.#next]) {
      const [field, at, , to] = change
      this.values[field] = to
      if (field === 'cycle' && this.isIn !== this.#isCycle(to)) {
        this.wasIn ||= this.isIn
        this.isIn = !this.isIn
        this.at = new Date(at)
      }
      this.#next++
    }
  }

  addTo(all: readonly Amounts[], categoryOf: CategoryOf): boolean {
    const category = categoryOf(this.values.state, this.#issue.teamId)
    if (!this.isThere || !this.isIn || category === 'CANCELED') return false
    const points = Number(this.values.estimate ?? 0)
    for (const amounts of all) {
      count(amounts.issues, category, 1)
      count(amounts.points, category, points)
    }
    return true
  }

  /** Earlier releases stored names, which mean cycles of the issue's team. */
  #isCycle(value: string | null): boolean {
    const { id, name, teamId } = this.#cycle
    return value === id || (value === name && this.#issue.teamId === teamId)
  }
}

function count(counts: Counts, category: StateCategory | undefined, n: number): void {
  counts.scope += n
  if (category === 'STARTED') counts.started += n
  if (category === 'COMPLETED') counts.completed += n
}
