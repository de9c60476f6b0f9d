import { Type } from 'typebox'
import { Closed, IdText } from '../../core/schemas.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'

const Category = Type.Enum([...STATE_CATEGORIES])
const unmet = Type.Optional(
  Type.Array(Type.String(), { description: 'The criteria that are not met, once some were ticked or it was closed.' })
)
const similar = Type.Optional(
  Type.Array(
    Closed({
      key: Type.String(),
      title: Type.String(),
      state: Type.String(),
      stateCategory: Category,
      score: Type.Number()
    }),
    {
      description:
        'Issues that may be the same as the one just filed, best first, 3 at most; absent when there are none.'
    }
  )
)
const openBlockers = Type.Optional(
  Type.Array(Closed({ key: Type.String(), title: Type.String(), stateCategory: Category }), {
    description: 'The open issues that block the one that was picked up.'
  })
)

export const Holder = Closed(
  {
    id: IdText,
    fullname: Type.String(),
    session: Type.Optional(Type.String({ description: 'The agent’s session that has it.' }))
  },
  { description: 'Who else works on the issue, or did until this change.' }
)

/** Sent by a person to complete an issue against the rule of its team. */
export const Override = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Complete it although its team asks more of its criteria: only a person may, and the history says so.'
  })
)
export const Takeover = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Take it from the agent that works on it: its assignee changes, or it is to be begun again.'
  })
)

/** What the answer to a write may tell beside the row. */
export const extraParts = { unmet, openBlockers, similar, holder: Type.Optional(Holder) }
