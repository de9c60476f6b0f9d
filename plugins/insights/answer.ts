import { STATE_CATEGORIES, statesByName, type StateCategory, type TeamState } from '../workspace/contract.ts'
import type { Ctx } from './context.ts'
import { insights } from './contract.ts'
import type { Request } from './measures.ts'
import { namesOfGroups, readMeasure, readTimeInStates, type NamedGroups, type TimeInState } from './queries/measures.ts'
import { readWeeksInProgress } from './queries/in-progress.ts'
import { STEPS } from './steps.ts'

const MAX_GROUPS = 100

type Figures = Record<string, Record<string, unknown>>

/** One statement after the other: a request must not take all turns at once. */
async function readFigures({ db }: Ctx, { selection, measures }: Request) {
  const values = []
  for (const measure of measures) values.push({ measure, values: await readMeasure(db, selection, measure) })
  const weeks = selection.by === 'week' ? await readWeeksInProgress(db, selection) : []
  return { values, weeks, times: await readTimeInStates(db, selection) }
}

export async function insightsFor(ctx: Ctx, request: Request) {
  const { db } = ctx
  const { selection, days, states } = request
  // Before the figures are read: the steps may be rebuilt meanwhile.
  const isComplete = await ctx.use.eventLog.isUpToDate(insights, STEPS)
  const { values, weeks, times } = await ctx.use.database.inTurn(() => readFigures(ctx, request))
  const total: Figures = {}
  const empty: Figures = {}
  const groups = new Map<string | null, Figures>(weeks.map(({ id, value }) => [id, { inProgress: value }]))
  for (const { measure, values: read } of values) {
    empty[measure.name] = read.find(({ kind }) => kind === 'empty')!.value
    total[measure.name] = read.find(({ kind }) => kind === 'total')!.value
    if (measure.name === 'inProgress' && selection.by === 'week') continue
    for (const { group, value } of read.filter(({ kind }) => kind === 'group')) {
      groups.set(group, { ...groups.get(group), [measure.name]: value })
    }
  }
  const all = [...groups].map(([id, figures]) => ({ id, figures: { ...empty, ...figures } }))
  const sorted = selection.by === 'week' ? all.toSorted(byId) : all.toSorted(byCompleted)
  const shown = sorted.slice(0, MAX_GROUPS)
  const ids = shown.flatMap(({ id }) => (id === null ? [] : [id]))
  const names: NamedGroups =
    selection.by === 'week'
      ? new Map(ids.map(id => [id, { name: id }]))
      : await namesOfGroups(db, selection.workspaceId, selection.by === 'label' ? 'label' : 'account', ids)
  return {
    from: days[0],
    to: days[1],
    by: selection.by,
    isComplete,
    total: { ...total, timeInState: timeInStates(times, states) },
    groups: shown.map(({ id, figures }) => ({
      id,
      ...((id !== null && names.get(id)) || { name: null }),
      ...figures
    })),
    hasMore: sorted.length > shown.length
  }
}

interface Group {
  id: string | null
  figures: Figures
}
const byId = (a: Group, b: Group) => (String(a.id) < String(b.id) ? -1 : 1)
const countOf = (figures: Figures, name: string) => Number(figures[name]?.['count'] ?? 0)
const byCompleted = (a: Group, b: Group) =>
  countOf(b.figures, 'completed') - countOf(a.figures, 'completed') ||
  countOf(b.figures, 'filed') - countOf(a.figures, 'filed') ||
  byId(a, b)

/** Merges states of the same name and category of all teams. */
function timeInStates(times: readonly TimeInState[], states: readonly TeamState[]) {
  const byStateId = new Map(states.map(state => [state.id, state]))
  const named = statesByName(states)
  const merged = new Map<string, { state: string; category: StateCategory | null; hours: number; issues: number }>()
  for (const { stateId, stateName, teamId, hours, issues, ofIssues } of times) {
    const known = stateId === null ? named.get(`${teamId} ${stateName}`) : byStateId.get(stateId)
    const [state, category] = known ? [known.name, known.category] : [stateName ?? 'Unknown', null]
    const key = `${category} ${state}`
    const before = merged.get(key) ?? { state, category, hours: 0, issues: 0 }
    merged.set(key, { ...before, hours: before.hours + hours / ofIssues, issues: before.issues + issues })
  }
  const order = ({ category }: { category: StateCategory | null }) => [...STATE_CATEGORIES, null].indexOf(category)
  return [...merged.values()]
    .toSorted((a, b) => order(a) - order(b) || b.hours - a.hours)
    .slice(0, MAX_GROUPS)
    .map(({ hours, ...state }) => ({ ...state, hours: Math.round(hours * 100) / 100 }))
}
