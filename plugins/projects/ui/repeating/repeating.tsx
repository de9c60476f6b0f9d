import { Choice, ErrorNote, useRequest } from '../../../ui/browser/contract.ts'
import type { TeamSettings } from '../../../workspace/ui/contract.ts'
import styles from './repeating.module.css'
import { MAX_WEEKS, type CarryOverRule, type Repetition, type StartDay } from '../cycles/data.ts'

type Team = TeamSettings & { cycles?: Repetition }

const OFF = ''
const FIRST: Repetition = { weeks: 2, startDay: 'MONDAY', carryOver: 'NEXT' }
const WEEKS = [
  { id: OFF, title: 'Cycles do not repeat' },
  ...Array.from({ length: MAX_WEEKS }, (_, n) => ({
    id: String(n + 1),
    title: n === 0 ? 'A cycle every week' : `A cycle every ${n + 1} weeks`
  }))
]
const DAYS: Record<StartDay, string> = {
  MONDAY: 'Monday',
  TUESDAY: 'Tuesday',
  WEDNESDAY: 'Wednesday',
  THURSDAY: 'Thursday',
  FRIDAY: 'Friday',
  SATURDAY: 'Saturday',
  SUNDAY: 'Sunday'
}
const CARRY_OVERS: Record<CarryOverRule, string> = {
  NEXT: 'Open issues go into the next cycle',
  BACKLOG: 'Open issues leave the cycle',
  ASK: 'Somebody closes the cycle'
}
const entriesOf = <K extends string>(names: Record<K, string>): ReadonlyArray<readonly [K, string]> =>
  Object.entries(names) as Array<[K, string]>

export function RepeatingCycles({ team }: { team: TeamSettings }) {
  const { id, identifier, cycles } = team as Team
  const { mutate, error } = useRequest('teams', 'directory', 'cycles')
  const set = (next: Repetition | null) =>
    mutate({ path: `/v1/teams/${id}`, body: { cycles: next, previous: { cycles: cycles ?? null } } })
  return (
    <span className={styles['cycles']}>
      <Choice
        label={`Cycles of ${identifier}`}
        options={WEEKS}
        chosen={cycles ? String(cycles.weeks) : OFF}
        onChoose={weeks => set(weeks === OFF ? null : { ...FIRST, ...cycles, weeks: Number(weeks) })}
      />
      {cycles && (
        <>
          <Choice
            label={`First day of a cycle of ${identifier}`}
            options={entriesOf(DAYS).map(([id, title]) => ({ id, title }))}
            chosen={cycles.startDay}
            onChoose={chosen => {
              for (const [startDay] of entriesOf(DAYS)) if (startDay === chosen) set({ ...cycles, startDay })
            }}
          />
          <Choice
            label={`At the end of a cycle of ${identifier}`}
            options={entriesOf(CARRY_OVERS).map(([id, title]) => ({ id, title }))}
            chosen={cycles.carryOver}
            onChoose={chosen => {
              for (const [carryOver] of entriesOf(CARRY_OVERS)) if (carryOver === chosen) set({ ...cycles, carryOver })
            }}
          />
        </>
      )}
      {error && <ErrorNote error={error} />}
    </span>
  )
}
