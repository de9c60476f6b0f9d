import { useEffect, useRef, useState } from 'react'
import Plot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import styles from './chart.module.css'
import { colourOf, onThemeChange } from './theme.ts'

interface Series {
  name: string
  /** A CSS variable. */
  colour: string
  isDashed?: boolean
  /** One for each label; null: none. */
  values: ReadonlyArray<number | null>
}
export interface ChartProps {
  kind: 'bars' | 'lines'
  summary: string
  labels: readonly string[]
  series: readonly Series[]
  /** The text of a value, also on the y axis. */
  textOf: (value: number) => string
}

const HEIGHT = 220
const AXIS_WIDTH = 48
const LABEL_SPACE = 60
const WEEKS_BETWEEN_LABELS = [1, 2, 4, 8, 13, 26]
const BAR_SIZE: [share: number, maxPixels: number] = [0.36, 22]

export default function Chart({ kind, summary, labels, series, textOf }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  useEffect(() => {
    const element = place.current!
    const options = optionsOf(element, { kind, labels, series, textOf }, setAt)
    const data: Plot.AlignedData = [labels.map((_, n) => n), ...series.map(({ values }) => [...values])]
    const chart = new Plot(options, data, element)
    const resizing = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }))
    resizing.observe(element)
    const stop = onThemeChange(() => chart.redraw(false))
    return () => {
      resizing.disconnect()
      stop()
      chart.destroy()
    }
  }, [kind, labels, series, textOf])
  return (
    <>
      <div ref={place} role="img" aria-label={summary} />
      {at !== null && at < labels.length && (
        <div className={styles['note']} data-left={at >= labels.length / 2 || undefined} aria-hidden>
          <strong>Week of {labels[at]}</strong>
          {series.map(({ name, colour, values }) => (
            <span key={name}>
              <i style={{ background: `var(${colour})` }} /> {name} {textOfValue(values[at], textOf)}
            </span>
          ))}
        </div>
      )}
    </>
  )
}

const textOfValue = (value: number | null | undefined, textOf: ChartProps['textOf']): string =>
  value === null || value === undefined ? '–' : textOf(value)

function optionsOf(
  element: HTMLElement,
  { kind, labels, series, textOf }: Omit<ChartProps, 'summary'>,
  onPoint: (at: number | null) => void
): Plot.Options {
  const colour = (variable: string) => () => colourOf(element, variable)
  const axis: Plot.Axis = {
    stroke: colour('--text-3'),
    font: `11px ${getComputedStyle(element).fontFamily}`,
    ticks: { show: false },
    grid: { stroke: colour('--border'), width: 1 }
  }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, ...(kind === 'bars' && { points: { show: false } }) },
    scales: {
      x: { time: false, range: () => [-0.5, labels.length - 0.5] },
      y: { range: (_chart, _min, max) => [0, Math.max(1, max * 1.1)] }
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        incrs: WEEKS_BETWEEN_LABELS,
        space: LABEL_SPACE,
        values: (_chart, places) => places.map(n => labels[n] ?? '')
      },
      {
        ...axis,
        size: AXIS_WIDTH,
        ...(kind === 'bars' && { incrs: WHOLE_STEPS }),
        values: (_chart, values) => values.map(textOf)
      }
    ],
    series: [{}, ...series.map(({ colour: name, isDashed }, n) => drawingOf(kind, n, colour(name), isDashed))],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] }
  }
}
/** Steps of the y axis: numbers of issues are whole. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap(step => [1, 10, 100, 1000, 10_000].map(times => step * times))
  .toSorted((a, b) => a - b)

/** @param n index of the series: bars of the first are to the left of their place, bars of the second to the right */
const drawingOf = (kind: ChartProps['kind'], n: number, colour: () => string, isDashed = false): Plot.Series =>
  kind === 'bars'
    ? {
        fill: colour,
        width: 0,
        points: { show: false },
        paths: Plot.paths.bars!({ size: BAR_SIZE, align: n === 0 ? -1 : 1, gap: 1 })
      }
    : {
        stroke: colour,
        width: 2,
        spanGaps: true,
        points: { show: true, size: 6, fill: colour },
        ...(isDashed && { dash: [5, 4] })
      }
