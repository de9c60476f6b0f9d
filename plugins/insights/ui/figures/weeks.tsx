import { useMemo } from 'react'
import type { OpenIssues } from '../address.ts'
import { ChartWithTable } from '../chart/chart-with-table.tsx'
import type { Figures, Group } from '../data.ts'
import {
  COMPLETED,
  CYCLE_TIME,
  daysText,
  FILED,
  hoursText,
  LONG_CYCLE_TIME,
  MAX_HOURS
} from '../values/shown-figures.ts'
import { weekText } from '../values/names.ts'

const numbers = new Intl.NumberFormat('en')
const countText = (count: number): string => numbers.format(count)

/** Cycle times by week, in hours; in days if one of them is long. */
function cycleTimesOf(groups: readonly Group[]) {
  const times = groups.map(({ completed }) => completed.cycleTime)
  const isLong = times.some(({ p85Hours = 0 }) => p85Hours > MAX_HOURS)
  const scaled = (hours: number | undefined) => (hours === undefined ? null : isLong ? hours / 24 : hours)
  return {
    textOf: isLong ? daysText : hoursText,
    series: [
      { name: 'Median', colour: '--done', values: times.map(({ p50Hours }) => scaled(p50Hours)) },
      { name: '85 %', colour: '--doing', isDashed: true, values: times.map(({ p85Hours }) => scaled(p85Hours)) }
    ]
  }
}

interface WeeksProps {
  total: Figures
  groups: readonly Group[]
  onOpen: OpenIssues
}
export function Weeks({ total, groups, onOpen }: WeeksProps) {
  const labels = useMemo(() => groups.map(({ id }) => weekText(id)), [groups])
  const counts = useMemo(
    () => [
      { name: 'Created', colour: '--backlog', values: groups.map(({ filed }) => filed.count) },
      { name: 'Completed', colour: '--done', values: groups.map(({ completed }) => completed.count) }
    ],
    [groups]
  )
  const times = useMemo(() => cycleTimesOf(groups), [groups])
  return (
    <>
      <ChartWithTable
        title="Created and completed"
        kind="bars"
        summary={`${FILED.valueOf(total)?.text} created and ${COMPLETED.valueOf(total)?.text} completed, by week`}
        labels={labels}
        series={counts}
        textOf={countText}
        groups={groups}
        columns={[FILED, COMPLETED]}
        onOpen={onOpen}
      />
      <ChartWithTable
        title="Cycle time"
        kind="lines"
        summary={`The median cycle time was ${CYCLE_TIME.valueOf(total)?.text}, by week`}
        labels={labels}
        {...times}
        groups={groups}
        columns={[CYCLE_TIME, LONG_CYCLE_TIME]}
        onOpen={onOpen}
      />
    </>
  )
}
