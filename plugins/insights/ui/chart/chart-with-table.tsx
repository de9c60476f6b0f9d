import { Suspense, useId, useState } from 'react'
import { lazyElement, Skeleton, unseenClass } from '../../../ui/browser/contract.ts'
import type { OpenIssues } from '../address.ts'
import type { Group } from '../data.ts'
import { FigureTable } from '../figures/figure-table.tsx'
import type { ShownFigure } from '../values/shown-figures.ts'
import type { ChartProps } from './chart.tsx'
import styles from './chart.module.css'

const loadChart = () => import('./chart.tsx')

interface ChartWithTableProps extends ChartProps {
  title: string
  /** The weeks, with the same order as the labels. */
  groups: readonly Group[]
  columns: readonly ShownFigure[]
  onOpen: OpenIssues
}
/** The table is always there for screen readers. */
export function ChartWithTable({ title, groups, columns, onOpen, ...chart }: ChartWithTableProps) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  return (
    <figure className={styles['figure']} aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <span className={styles['legend']} aria-hidden>
          {chart.series.map(({ name, colour }) => (
            <span key={name}>
              <i style={{ background: `var(${colour})` }} />
              {name}
            </span>
          ))}
        </span>
        <button
          type="button"
          className={styles['toggle']}
          aria-pressed={isTable}
          aria-label={`Table: ${title}`}
          onClick={() => setTable(!isTable)}
        >
          Table
        </button>
      </figcaption>
      {!isTable && (
        <div className={styles['plot']}>
          <Suspense fallback={<Skeleton lines={6} />}>{lazyElement(loadChart, chart)}</Suspense>
        </div>
      )}
      <WeekTable
        title={title}
        labels={chart.labels}
        groups={groups}
        columns={columns}
        onOpen={isTable ? onOpen : undefined}
      />
    </figure>
  )
}

interface WeekTableProps extends Pick<ChartWithTableProps, 'title' | 'labels' | 'groups' | 'columns'> {
  /** Undefined: nobody sees the table, so that the Tab key does not lead into it. */
  onOpen: OpenIssues | undefined
}
const WeekTable = ({ title, labels, groups, columns, onOpen }: WeekTableProps) => (
  <div
    className={onOpen ? styles['shown'] : unseenClass}
    {...(onOpen && { role: 'region', tabIndex: 0, 'aria-label': `${title}, as a table` })}
  >
    <FigureTable
      named={{ 'aria-label': title }}
      head="Week of"
      groups={groups}
      columns={columns}
      nameOf={(_, n) => `week of ${labels[n]}`}
      rowHead={(_, n) => labels[n]}
      onOpen={onOpen}
    />
  </div>
)
