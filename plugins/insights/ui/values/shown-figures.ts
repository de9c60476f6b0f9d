import type { Figures, Percentiles } from '../data.ts'

export interface Value {
  text: string
  /** Issues, or another amount; 0: there is no list of issues. */
  count: number
  note?: string | undefined
}
export interface ShownFigure {
  title: string
  /** As GET /v1/insights/issues names it. */
  figure: string
  isMain?: boolean
  /** Undefined: the plugin that counts it is off. */
  valueOf(figures: Figures): Value | undefined
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const NONE = '–'

/** Longer times are displayed in days. */
export const MAX_HOURS = 48
export const hoursText = (hours: number): string => `${numbers.format(hours)} h`
export const daysText = (days: number): string => `${numbers.format(days)} d`
/** `35 min`, `9.5 h`, `4.2 d` */
export function durationText(hours: number): string {
  if (hours < 1) return `${Math.round(hours * 60)} min`
  return hours <= MAX_HOURS ? hoursText(hours) : daysText(hours / 24)
}

const percentOf = (part: number, all: number): string => `${all === 0 ? 0 : Math.round((part / all) * 100)} %`
const counted = (count: number, note?: string): Value => ({ text: numbers.format(count), count, note })
function lasted(count: number, { p50Hours, p85Hours = p50Hours }: Percentiles): Value {
  if (p50Hours === undefined || p85Hours === undefined) return { text: NONE, count: 0 }
  return { text: durationText(p50Hours), count, note: `85 % within ${durationText(p85Hours)}` }
}
const most = (count: number, { p85Hours }: Percentiles): Value =>
  p85Hours === undefined ? { text: NONE, count: 0 } : { text: durationText(p85Hours), count }

export const FILED: ShownFigure = {
  title: 'Created',
  figure: 'filed',
  isMain: true,
  valueOf: ({ filed }) => counted(filed.count)
}
export const COMPLETED: ShownFigure = {
  title: 'Completed',
  figure: 'completed',
  isMain: true,
  valueOf: ({ completed, canceled }) =>
    counted(completed.count, canceled.count > 0 ? `${canceled.count} canceled` : undefined)
}
export const CYCLE_TIME: ShownFigure = {
  title: 'Cycle time',
  figure: 'completed',
  isMain: true,
  valueOf: ({ completed }) => lasted(completed.count, completed.cycleTime)
}
/** The 85th percentile: a column of its own in tables, which have no notes. */
export const LONG_CYCLE_TIME: ShownFigure = {
  title: 'Cycle time, 85 %',
  figure: 'completed',
  valueOf: ({ completed }) => most(completed.count, completed.cycleTime)
}
const IN_PROGRESS: ShownFigure = {
  title: 'In progress',
  figure: 'inProgress',
  isMain: true,
  valueOf({ inProgress: { count, age = {} } }) {
    const { p50Hours } = age
    return counted(count, p50Hours === undefined ? undefined : `median age ${durationText(p50Hours)}`)
  }
}
const AGE: ShownFigure = {
  title: 'Age',
  figure: 'inProgress',
  valueOf: ({ inProgress: { count, age = {} } }) => lasted(count, age)
}
const REOPENED: ShownFigure = {
  title: 'Reopened',
  figure: 'reopened',
  isMain: true,
  valueOf: ({ reopened }) => counted(reopened.count)
}
const PROVEN: ShownFigure = {
  title: 'Proven',
  figure: 'completed.proven',
  valueOf: ({ completed: { count, proven } }) =>
    proven === undefined ? undefined : counted(proven, `${percentOf(proven, count)} of the completed ones`)
}
const OF_AGENTS: readonly ShownFigure[] = [
  {
    title: 'Questions',
    figure: 'questions',
    valueOf({ questions }) {
      if (!questions) return undefined
      const waited = questions.p50Hours === undefined ? '' : `, answered in ${durationText(questions.p50Hours)}`
      return counted(questions.count, questions.count === 0 ? undefined : `${questions.open} open${waited}`)
    }
  },
  {
    title: 'Expired claims',
    figure: 'claimsLapsed',
    valueOf: ({ claimsLapsed }) => claimsLapsed && counted(claimsLapsed.count)
  },
  {
    title: 'Runs',
    figure: 'runs',
    valueOf: ({ runs }) => runs && counted(runs.count, runs.failed > 0 ? `${runs.failed} failed` : undefined)
  },
  {
    title: 'Cost',
    figure: 'usage',
    valueOf({ usage }) {
      if (!usage) return undefined
      const tokens = usage.inputTokens + usage.outputTokens
      const text = usage.costUsd === undefined ? NONE : dollars.format(usage.costUsd)
      const note = `${compact.format(tokens)} tokens${usage.estimated ? ', estimated' : ''}`
      return { text, count: tokens, note: tokens === 0 ? undefined : note }
    }
  }
]

export const TOTALS: readonly ShownFigure[] = [
  ...[FILED, COMPLETED, CYCLE_TIME, IN_PROGRESS, REOPENED, PROVEN],
  ...OF_AGENTS
]
export const COLUMNS: readonly ShownFigure[] = [
  ...[FILED, COMPLETED, CYCLE_TIME, LONG_CYCLE_TIME, IN_PROGRESS, AGE, REOPENED, PROVEN],
  ...OF_AGENTS
]
export const titleOfFigure = (figure: string): string =>
  TOTALS.find(shown => shown.figure === figure)?.title ?? 'Figure'

export const isNothing = (figures: Figures): boolean =>
  TOTALS.every(({ valueOf }) => (valueOf(figures)?.count ?? 0) === 0) && figures.canceled.count === 0
