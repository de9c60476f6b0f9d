import { sql } from 'kysely'
import type { TestServer } from '../../../test/runner/harness.ts'

const HOUR = 3_600_000

/** An issue as it is now, with its history as it is stored. */
interface Issue {
  id: string
  createdAt: number
  completedAt: number | null
  createdById: string
  assigneeId: string | null
  category: string
  changes: Array<{ at: number; change: string; fromId: string | null; former: string | null; next: string | null }>
}

/** The living issues of a team with their histories. */
export async function readIssues({ database: { db } }: TestServer, team: string): Promise<Issue[]> {
  const { id: workspaceId } = await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  const millis = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`
  const { rows } = await sql<Issue>`
    select i.id, ${millis('i.created_at')} as "createdAt", ${millis('i.completed_at')} as "completedAt",
      i.created_by_id as "createdById", i.assignee_id as "assigneeId", s.category, coalesce((
        select json_agg(json_build_object('at', ${millis('h.at')}, 'change', h.change, 'fromId', h.from_id,
          'former', f.category, 'next', t.category) order by h.at, h.id)
        from issue_change h
        left join workflow_state f on f.workspace_id = ${workspaceId} and f.id = h.from_id
        left join workflow_state t on t.workspace_id = ${workspaceId} and t.id = h.to_id
        where h.workspace_id = ${workspaceId} and h.issue_id = i.id and h.change in ('state', 'assignee')), '[]')
        as changes
    from issue i
    join workflow_state s on s.workspace_id = ${workspaceId} and s.id = i.state_id
    join team on team.workspace_id = ${workspaceId} and team.id = i.team_id
    where i.workspace_id = ${workspaceId} and i.deleted_at is null and team.identifier = ${team}`.execute(db)
  return rows
}

export interface Span {
  from: number
  to: number
  now: number
}
interface Row {
  id: string
  at: number
  accountId: string | null
  hours?: number
}

const isClosed = (category: string | null) => category === 'COMPLETED' || category === 'CANCELED'
const movesOf = ({ changes }: Issue) => changes.filter(({ change }) => change === 'state')

function assigneeAt(issue: Issue, at: number): string | null {
  const next = issue.changes.find(change => change.change === 'assignee' && change.at > at)
  return next ? next.fromId : issue.assigneeId
}

function firstStarted(issue: Issue): number {
  const first = movesOf(issue).find(({ former, next }) => former === 'STARTED' || next === 'STARTED')
  if (first) return first.former === 'STARTED' ? Math.min(issue.createdAt, first.at) : first.at
  return issue.category === 'STARTED' ? issue.createdAt : Infinity
}

function isStartedAt(issue: Issue, at: number): boolean {
  if (issue.createdAt >= at) return false
  const next = movesOf(issue).find(change => change.at >= at)
  return (next ? next.former : issue.category) === 'STARTED'
}

/** Rows by figure; an issue may have several. */
function happened(issues: readonly Issue[], { from, to, now }: Span): Record<string, Row[]> {
  const isWithin = (at: number | null): at is number => at !== null && at >= from && at < to
  const rows: Record<string, Row[]> = { filed: [], completed: [], canceled: [], reopened: [], inProgress: [] }
  const add = (figure: string, issue: Issue, at: number, accountId = assigneeAt(issue, at)) => {
    const started = firstStarted(issue)
    rows[figure]!.push({ id: issue.id, at, accountId, ...(started <= at && { hours: (at - started) / HOUR }) })
  }
  const until = Math.min(to, now + 1)
  for (const issue of issues) {
    if (isWithin(issue.createdAt)) add('filed', issue, issue.createdAt, issue.createdById)
    if (isStartedAt(issue, until)) add('inProgress', issue, until - 1)
    const moves = movesOf(issue)
    for (const { at, former, next } of moves.filter(({ at }) => isWithin(at))) {
      if (next === 'COMPLETED' && former !== 'COMPLETED') add('completed', issue, at)
      if (next === 'CANCELED' && former !== 'CANCELED') add('canceled', issue, at)
      if (isClosed(former) && next !== null && !isClosed(next)) add('reopened', issue, at)
    }
    if (moves.length > 0 || !isClosed(issue.category)) continue
    const [figure, at] =
      issue.category === 'COMPLETED' ? ['completed', issue.completedAt] : ['canceled', issue.createdAt]
    if (isWithin(at as number | null)) add(String(figure), issue, at as number)
  }
  return rows
}

function percentile(values: readonly number[], fraction: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const place = (sorted.length - 1) * fraction
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return low + (high - low) * (place - Math.floor(place))
}

export interface PlainFigure {
  /** The issues, each once. */
  ids: string[]
  p50Hours: number | undefined
  p85Hours: number | undefined
}

function once(rows: readonly Row[]): PlainFigure {
  const last = new Map<string, Row>()
  for (const row of rows) if ((last.get(row.id)?.at ?? -Infinity) <= row.at) last.set(row.id, row)
  const hours = [...last.values()].flatMap(row => row.hours ?? [])
  return { ids: [...last.keys()], p50Hours: percentile(hours, 0.5), p85Hours: percentile(hours, 0.85) }
}

export type Grouping = 'week' | 'assignee'
const mondayOf = (at: number) => {
  const day = new Date(at)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}

/** Figures by their name: of all, and by group (`null`: of none). */
export type PlainFigures = Record<string, { total: PlainFigure; groups: Map<string, PlainFigure> }>
export function plainFigures(issues: readonly Issue[], span: Span, by: Grouping): PlainFigures {
  const all = Object.entries(happened(issues, span)).map(([figure, rows]) => {
    const grouped = Map.groupBy(rows, ({ at, accountId }) => (by === 'week' ? mondayOf(at) : String(accountId)))
    return [figure, { total: once(rows), groups: new Map([...grouped].map(([id, of]) => [id, once(of)])) }] as const
  })
  return Object.fromEntries(all)
}

/** Issues that were STARTED at the ends of weeks, by Monday. */
export function plainWeeks(issues: readonly Issue[], { from, to, now }: Span): Map<string, number> {
  const until = Math.min(to, now + 1)
  const weeks = new Map<string, number>()
  for (let start = Date.parse(mondayOf(from)); start < until; start += 168 * HOUR) {
    const end = Math.min(start + 168 * HOUR, until)
    weeks.set(mondayOf(start), issues.filter(issue => isStartedAt(issue, end)).length)
  }
  return weeks
}

/** Hours in states of each category before the last completion in the span, on average over the completed issues. */
export function plainHours(issues: readonly Issue[], span: Span): Map<string, number> {
  const completed = happened(issues, span)['completed']!
  const ended = new Map(completed.toSorted((a, b) => a.at - b.at).map(({ id, at }) => [id, at]))
  const hours = new Map<string, number>()
  for (const issue of issues.filter(({ id }) => ended.has(id))) {
    const moves = movesOf(issue).filter(({ at }) => at <= ended.get(issue.id)!)
    for (const [n, { at, former }] of moves.entries()) {
      const spent = (at - (moves[n - 1]?.at ?? Math.min(issue.createdAt, at))) / HOUR
      hours.set(String(former), (hours.get(String(former)) ?? 0) + spent / ended.size)
    }
  }
  return hours
}
