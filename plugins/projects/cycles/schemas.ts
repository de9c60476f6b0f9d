import { Type } from 'typebox'
import { changesOf, Closed, IdText, Line, Nullable, Ref, Time } from '../../../core/api/schemas.ts'
import { CARRY_OVER_RULES, CARRY_OVERS, MAX_WEEKS, START_DAYS } from './spans.ts'

const carryOver = Type.Enum([...CARRY_OVERS], {
  description: 'Where its open issues go: into the next cycle of the team, or out of the cycle.'
})
const when = { startsAt: Time, endsAt: Time }

export const Cycle = Closed({
  id: IdText,
  name: Type.String(),
  teamId: IdText,
  ...when,
  createdAt: Time,
  closedAt: Type.Optional(Time),
  carryOver: Type.Optional(carryOver)
})
const fields = { name: Line(200), ...when }
export const NewCycle = Closed({ ...fields, teamId: Ref('A team’s UUID or identifier.') })
export const CycleChanges = Closed(changesOf(Cycle, fields))

export const CloseCycle = Closed({ carryOver: Type.Optional(carryOver) })
export const ClosedCycle = Closed({
  ...Cycle.properties,
  moved: Type.Integer({ description: 'The issues that were moved; where there are many more, they follow.' })
})

export const Repeating = Closed(
  {
    weeks: Type.Integer({ minimum: 1, maximum: MAX_WEEKS }),
    startDay: Type.Enum([...START_DAYS]),
    carryOver: Type.Enum([...CARRY_OVER_RULES], {
      description: 'Where open issues go at the end of a cycle; ASK: they stay until somebody closes it.'
    })
  },
  { description: 'Cycles that repeat by themselves; days are UTC. Null: they do not.' }
)

const counts = {
  scope: Type.Integer({ description: 'Issues, without canceled ones; or their estimates.' }),
  started: Type.Integer({ description: 'In progress.' }),
  completed: Type.Integer()
}
const amounts = { issues: Closed(counts), points: Closed(counts) }
const moves = (description: string) =>
  Closed(
    {
      total: Type.Integer(),
      issues: Type.Array(Closed({ id: IdText, key: Type.String(), title: Type.String(), at: Time }))
    },
    { description }
  )
export const CycleProgress = Closed({
  until: Time,
  days: Type.Array(Closed({ day: Type.String({ format: 'date' }), ...amounts }), {
    description: 'What was in the cycle at the end of each of its days (UTC), up to its end or now.'
  }),
  ...amounts,
  added: moves('In the cycle since after its start: all, and the last 100.'),
  removed: moves('In the cycle after its start, and taken out of it: all, and the last 100.'),
  assignees: Type.Array(
    Closed({ accountId: Nullable(IdText, { description: 'Null: assigned to nobody.' }), ...amounts })
  )
})
export const OfTeam = Closed({ teamId: Type.Optional(IdText) })
export const CycleCounts = Closed({
  cycleId: IdText,
  total: Type.Integer({ description: 'Issues that are in it now, without canceled ones.' }),
  started: Type.Integer({ description: 'In progress.' }),
  completed: Type.Integer()
})
