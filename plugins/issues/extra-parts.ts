import { Type } from 'typebox'
import { Closed } from '../../core/schemas.ts'
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

/** What the answer to a write may tell beside the row. */
export const extraParts = { unmet, openBlockers, similar }
