import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState, type CSSProperties } from 'react'
import { Link } from 'wouter'
import {
  Choice,
  DayPicker,
  dayText,
  Empty,
  ErrorNote,
  Icon,
  PageFrame,
  PickerButton,
  Skeleton,
  today,
  unseenClass
} from '../../../ui/browser/contract.ts'
import { milestonesQuery, useProgress, useProjects, type Milestone, type Progress, type Project } from '../data.ts'
import { HealthDot } from '../symbols.tsx'
import { Bar } from './bar.tsx'
import { barOf, datesFrom, dayNumber, lineOf, placeOf, type Line } from './line.ts'
import styles from './roadmap.module.css'
import { datesText, useDates, type ChangeDates } from './use-dates.ts'

/** Pixels of a day. */
const ZOOMS: Readonly<Record<string, number>> = { month: 20, quarter: 7, year: 2.4 }
const ZOOM_OPTIONS = [
  { id: 'month', title: 'Months' },
  { id: 'quarter', title: 'Quarters' },
  { id: 'year', title: 'Years' }
]

export default function RoadmapPage() {
  const { data, error } = useProjects()
  const { data: milestones = [] } = useQuery(milestonesQuery)
  const { data: progress = [] } = useProgress()
  const { change, pending, error: refusal } = useDates()
  const [zoom, setZoom] = useState('quarter')
  const shown = data?.filter(({ state }) => state !== 'CANCELED') ?? []
  const projects = shown.map(project => ({ ...project, ...pending.get(project.id) }))
  const dated = projects
    .filter(project => barOf(project))
    .toSorted((a, b) => barOf(a)!.first.localeCompare(barOf(b)!.first) || a.name.localeCompare(b.name))
  const undated = projects.filter(project => !barOf(project))
  return (
    <PageFrame
      title="Roadmap"
      tools={
        <span className={styles['zoom']}>
          <Choice label="Zoom" options={ZOOM_OPTIONS} chosen={zoom} onChoose={setZoom} />
        </span>
      }
      actions={
        <Link href="/projects" className={styles['list']!}>
          As a list
        </Link>
      }
    >
      <div className={styles['page']}>
        {(error ?? refusal) !== null && <ErrorNote error={error ?? refusal} />}
        {!data && !error && <Skeleton lines={6} />}
        {data && projects.length === 0 && (
          <Empty title="No projects yet">
            <Link href="/projects">Create the first one</Link>
          </Empty>
        )}
        {dated.length > 0 && (
          <Timeline projects={dated} milestones={milestones} progress={progress} zoom={zoom} onChange={change} />
        )}
        {undated.length > 0 && <Undated projects={undated} onChange={change} />}
      </div>
      <p id="roadmap-keys" className={unseenClass}>
        The arrow keys move it by a day, with Shift by a week; Escape leaves it where it was.
      </p>
    </PageFrame>
  )
}

interface TimelineProps {
  projects: readonly Project[]
  milestones: readonly Milestone[]
  progress: readonly Progress[]
  zoom: string
  onChange: ChangeDates
}
function Timeline({ projects, milestones, progress, zoom, onChange }: TimelineProps) {
  const shown = milestones.filter(({ projectId }) => projects.some(({ id }) => id === projectId))
  const line = lineOf(projects, shown)
  const scroll = useRef<HTMLDivElement>(null)
  const pixelsOfDay = ZOOMS[zoom]!
  const { from } = line
  const drawn = useRef<{ from: number; pixelsOfDay: number }>(undefined)
  useLayoutEffect(() => {
    const before = drawn.current
    drawn.current = { from, pixelsOfDay }
    const box = scroll.current!
    // The visible days stay in place when the line begins earlier or later.
    if (before?.pixelsOfDay === pixelsOfDay) box.scrollLeft += (before.from - from) * pixelsOfDay
    // The last weeks are visible at the left.
    else box.scrollLeft = (dayNumber(today()) - from) * pixelsOfDay - box.clientWidth / 8
  }, [from, pixelsOfDay])
  return (
    <div className={styles['scroll']} ref={scroll}>
      <div className={styles['line']} style={{ '--width': `${line.length * pixelsOfDay}px` } as CSSProperties}>
        <Scale line={line} />
        <ul aria-label="Roadmap">
          {projects.map(project => (
            <li key={project.id}>
              <span className={styles['name']}>
                {project.health && <HealthDot health={project.health} />}
                <Link href={`/projects/${project.id}`}>{project.name}</Link>
                <small>{datesText(project)}</small>
              </span>
              <div className={styles['track']}>
                <Bar
                  project={project}
                  progress={progress.find(({ projectId }) => projectId === project.id)}
                  line={line}
                  onChange={onChange}
                />
                {shown
                  .filter(({ projectId }) => projectId === project.id)
                  .map(milestone => (
                    <Diamond key={milestone.id} milestone={milestone} line={line} />
                  ))}
              </div>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** `Nov`; of the first month, and in January, with the year. */
const monthName = (day: string, isFirst: boolean): string =>
  new Intl.DateTimeFormat('en-GB', {
    month: 'short',
    ...((isFirst || day.slice(5, 7) === '01') && { year: 'numeric' as const }),
    timeZone: 'UTC'
  }).format(Date.parse(day))

const Scale = ({ line }: { line: Line }) => (
  <div className={styles['scale']} aria-hidden>
    {line.months.map((month, n) => (
      <span key={month} style={{ left: `${placeOf(line, month)}%` }}>
        {monthName(month, n === 0)}
      </span>
    ))}
    <i style={{ left: `${placeOf(line, today())}%` }} title={`Today, ${dayText(today())}`} />
  </div>
)

function Diamond({ milestone: { name, date, issues }, line }: { milestone: Milestone; line: Line }) {
  if (date === null) return null
  const text = `${name}, ${dayText(date)}, ${issues.completed}/${issues.total}`
  return (
    <span
      role="img"
      className={styles['milestone']}
      data-done={issues.total > 0 && issues.completed === issues.total}
      aria-label={`Milestone ${text}`}
      title={text}
      style={{ left: `${placeOf(line, date) + 50 / line.length}%` }}
    />
  )
}

const Undated = ({ projects, onChange }: { projects: readonly Project[]; onChange: ChangeDates }) => (
  <section className={styles['undated']} aria-labelledby="undated">
    <h2 id="undated">Without dates</h2>
    <ul>
      {projects.map(project => (
        <li key={project.id}>
          <Link href={`/projects/${project.id}`}>{project.name}</Link>
          <PickerButton
            label={`Put ${project.name} on the line`}
            picker={open => (
              <DayPicker
                {...open}
                label="First day"
                day={undefined}
                onChoose={day => day && onChange(project, datesFrom(day))}
              />
            )}
          >
            <Icon name="calendar" /> Set dates
          </PickerButton>
        </li>
      ))}
    </ul>
  </section>
)
