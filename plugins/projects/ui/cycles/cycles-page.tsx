import { Link, useSearchParams } from 'wouter'
import { teamOption, useDirectory, type Team } from '../../../workspace/ui/contract.ts'
import {
  Button,
  Choice,
  Empty,
  ErrorNote,
  go,
  Meter,
  PageFrame,
  Skeleton,
  useOpenByAddress
} from '../../../ui/browser/contract.ts'
import { useCycles, type Cycle } from '../data.ts'
import { CycleForm } from './cycle-form.tsx'
import styles from './cycles-page.module.css'
import { phaseOf, spanText, useCycleCounts, type CycleCounts, type Phase } from './data.ts'

const PHASES: ReadonlyArray<readonly [Phase, string]> = [
  ['current', 'Current'],
  ['upcoming', 'Upcoming'],
  ['past', 'Past']
]

export default function CyclesPage() {
  const [params] = useSearchParams()
  const { data: cycles, error } = useCycles()
  const { data: counts = [] } = useCycleCounts()
  const { teams = [] } = useDirectory() ?? {}
  const [isNew, setNew] = useOpenByAddress('new')
  const team = teams.find(({ identifier }) => identifier === params.get('team')) ?? teams[0]
  const ofTeam = cycles?.filter(({ teamId }) => teamId === team?.id)
  return (
    <PageFrame
      title={team ? `Cycles of ${team.name}` : 'Cycles'}
      heading={<h1>Cycles</h1>}
      tools={team && teams.length > 1 && <TeamOfCycles team={team} teams={teams} />}
      actions={
        <Button kind="primary" disabled={!team} onClick={() => setNew(true)}>
          New cycle
        </Button>
      }
    >
      <div className={styles['page']}>
        {error && <ErrorNote error={error} />}
        {!ofTeam && !error && <Skeleton />}
        {ofTeam?.length === 0 && (
          <Empty title="No cycles yet">
            <p>A cycle is a span of time in which the team plans to get issues done.</p>
            <p>
              <Link href="/settings/teams" className={styles['link']!}>
                Let them repeat by themselves
              </Link>
            </p>
          </Empty>
        )}
        {ofTeam &&
          PHASES.map(([phase, title]) => (
            <CyclesOfPhase key={phase} phase={phase} title={title} cycles={ofTeam} counts={counts} />
          ))}
      </div>
      {team && <CycleForm team={team} isOpen={isNew} onClose={() => setNew(false)} />}
    </PageFrame>
  )
}

const TeamOfCycles = ({ team, teams }: { team: Team; teams: readonly Team[] }) => (
  <Choice
    label="Team"
    options={teams.map(team => ({ ...teamOption(team), id: team.identifier }))}
    chosen={team.identifier}
    onChoose={identifier => go(`/cycles?team=${identifier}`)}
  />
)

interface PhaseProps {
  phase: Phase
  title: string
  cycles: readonly Cycle[]
  counts: readonly CycleCounts[]
}
function CyclesOfPhase({ phase, title, cycles, counts }: PhaseProps) {
  const all = cycles.filter(cycle => phaseOf(cycle) === phase)
  if (all.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>
        {title} <span>{all.length}</span>
      </h2>
      <ul data-rows>
        {/* The last one first. */}
        {(phase === 'past' ? all.toReversed() : all).map(cycle => (
          <Row key={cycle.id} cycle={cycle} counts={counts.find(({ cycleId }) => cycleId === cycle.id)} />
        ))}
      </ul>
    </section>
  )
}

function Row({ cycle, counts }: { cycle: Cycle; counts: CycleCounts | undefined }) {
  const { id, name, closedAt } = cycle
  const isUnclosed = phaseOf(cycle) === 'past' && closedAt === undefined
  return (
    <li>
      <Link href={`/cycles/${id}`} className={styles['name']!}>
        {name}
      </Link>
      <span className={styles['dates']}>{spanText(cycle)}</span>
      <span className={styles['note']}>
        {isUnclosed && counts && counts.total > counts.completed && `${counts.total - counts.completed} still open`}
      </span>
      <span className={styles['progress']}>
        {counts && (
          <>
            <Meter label={`Completed issues of ${name}`} value={counts.completed} max={counts.total} />
            {counts.completed}/{counts.total}
          </>
        )}
      </span>
    </li>
  )
}
