import { Type } from 'typebox'
import { Closed, IdText } from '../../core/api/schemas.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'

export const Category = Type.Enum([...STATE_CATEGORIES])
export const Holder = Closed(
  {
    id: IdText,
    fullname: Type.String(),
    session: Type.Optional(Type.String({ description: 'The agent’s session that has it.' }))
  },
  { description: 'Who else works on the issue, or did until this change.' }
)

export const Override = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Complete it although its team asks more of its criteria: only a person may, and the history says so.'
  })
)
export const Basis = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      'The revision that the client has read. A description is merged with what others have written since, and a ' +
      'field that they have changed since is not overwritten (412).'
  })
)
export const Protect = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'For a client that knows no `rev`: criteria whose text stays keep their ticks (`kept`), and a field that ' +
      'another account has changed in the last 10 minutes is refused once (409).'
  })
)
export const Takeover = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Take it from the agent that works on it: its assignee changes, or it is to be begun again.'
  })
)

/** Optional fields of answers to writes, beside the row. */
export const extraParts = {
  unmet: Type.Optional(
    Type.Array(Type.String(), { description: 'The criteria that are not met, once some were ticked or it was closed.' })
  ),
  unmetNumbers: Type.Optional(Type.Array(Type.Integer(), { description: 'Their numbers, from 1, in the same order.' })),
  kept: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The criteria that stay ticked although the new description has them open: `unmet` unticks them.'
    })
  ),
  openBlockers: Type.Optional(
    Type.Array(Closed({ key: Type.String(), title: Type.String(), stateCategory: Category }), {
      description: 'The open issues that block the one that was picked up.'
    })
  ),
  similar: Type.Optional(
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
          'Issues that may be the same as the one just filed, best first, 3 at most; absent when there are none. The ' +
          'context has them for a day when they were found after the answer to filing it.'
      }
    )
  ),
  holder: Type.Optional(Holder)
}
