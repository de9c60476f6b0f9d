import { Link } from 'wouter'
import { Property } from '../../../issues/ui/contract.ts'
import { useDirectory } from '../../../workspace/ui/contract.ts'
import { Avatar, Icon, Meter, Time } from '../../../ui/browser/contract.ts'
import type { Cycle } from '../data.ts'
import { PlanSections } from '../plan-sections.tsx'
import styles from './cycle.module.css'
import { listOf, phaseOf, spanText, type Counts, type CycleProgress, type Unit } from './data.ts'

const UNITS: ReadonlyArray<readonly [Unit, string]> = [
  ['issues', 'Issues'],
  ['points', 'Points']
]
const FIGURES: ReadonlyArray<readonly [name: keyof Counts, title: string, term: string | undefined]> = [
  ['scope', 'Scope', undefined],
  ['started', 'Started', 'category:STARTED'],
  ['completed', 'Completed', 'category:COMPLETED']
]
const shareOf = (part: number, all: number): number => (all === 0 ? 0 : Math.round((part / all) * 100))

interface FiguresProps {
  cycle: Cycle
  progress: CycleProgress
  unit: Unit
  onChoose: (unit: Unit) => void
}
export function Figures({ cycle, progress, unit, onChoose }: FiguresProps) {
  const counts = progress[unit]
  return (
    <div className={styles['figures']}>
      {FIGURES.map(([name, title, term]) => (
        <Link key={name} href={listOf(`cycle:${cycle.id}`, ...(term === undefined ? [] : [term]))}>
          <span data-line={name}>{title}</span>
          <strong>{counts[name]}</strong>
          {name !== 'scope' && <span>{shareOf(counts[name], counts.scope)} %</span>}
        </Link>
      ))}
      {progress.points.scope > 0 && (
        <div role="group" aria-label="Unit">
          {UNITS.map(([id, title]) => (
            <button key={id} type="button" aria-pressed={unit === id} onClick={() => onChoose(id)}>
              {title}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

const PHASE_NAMES = { current: 'Current', upcoming: 'Upcoming', past: 'Ended' }

interface FactsProps {
  cycle: Cycle
  progress: CycleProgress | undefined
  unit: Unit
}
export function Facts({ cycle, progress, unit }: FactsProps) {
  const team = useDirectory()?.teams.find(({ id }) => id === cycle.teamId)
  const { closedAt } = cycle
  return (
    <aside className={styles['facts']} aria-label="Properties">
      <Property name="Status" icon={<Icon name="cycle" />}>
        {closedAt === undefined ? PHASE_NAMES[phaseOf(cycle)] : 'Closed'}
      </Property>
      <Property name="Dates" icon={<Icon name="calendar" />}>
        {spanText(cycle)}
      </Property>
      {closedAt !== undefined && (
        <Property name="Closed">
          <Time at={closedAt} />
        </Property>
      )}
      {team && <Property name="Team">{team.name}</Property>}
      <nav aria-label="Issues of the cycle">
        <Link href={listOf(`cycle:${cycle.id}`)}>As a list</Link>
        <Link href={`/board?${team ? `team=${team.identifier}&` : ''}filter=cycle:${cycle.id}&closed=`}>
          On the board
        </Link>
      </nav>
      {progress && progress.assignees.length > 0 && <Assignees cycle={cycle} progress={progress} unit={unit} />}
      <PlanSections plan={{ kind: 'cycle', id: cycle.id }} />
    </aside>
  )
}

function Assignees({ cycle, progress, unit }: { cycle: Cycle; progress: CycleProgress; unit: Unit }) {
  const { members = [] } = useDirectory() ?? {}
  return (
    <section aria-labelledby="assignees">
      <h2 id="assignees">Assignees</h2>
      <ul aria-label="Assignees">
        {progress.assignees.map(({ accountId, ...amounts }) => {
          const { scope, completed } = amounts[unit]
          const member = members.find(({ id }) => id === accountId)
          const name = accountId === null ? 'Nobody' : (member?.fullname ?? 'Former member')
          return (
            <li key={accountId}>
              <Link href={listOf(`cycle:${cycle.id}`, `assignee:${accountId ?? 'none'}`)}>
                {member ? (
                  <Avatar name={member.fullname} id={member.id} isAgent={member.kind === 'AGENT'} />
                ) : (
                  <Icon name="person" size={18} />
                )}
                <span>{name}</span>
                <Meter label={`Completed by ${name}`} value={completed} max={scope} />
                <span>
                  {completed}/{scope}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
