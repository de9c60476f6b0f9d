import { Type, type TSchema } from 'typebox'
import { Closed, Day, IdText, Nullable, Ref, Time } from '../../core/api/schemas.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'
import { GROUPINGS } from './queries/selection.ts'
import { ownSchemas } from './queries/own-measures.ts'

const selected = {
  team: Type.Optional(Ref('A team: its id, identifier or name.')),
  project: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A project: its id or name.' })),
  from: Type.Optional(Type.String({ ...Day, description: 'The first day, in UTC; default: 12 weeks with `to`.' })),
  to: Type.Optional(Type.String({ ...Day, description: 'The last day, in UTC; default: today.' })),
  by: Type.Enum([...GROUPINGS], {
    default: 'week',
    description:
      'What the figures are grouped by: weeks from Monday, in UTC; assignees at the time, or those of them that are ' +
      'agents; labels. Issues that were filed are grouped by their authors.'
  })
}
export const InsightsQuery = Closed(selected)
export const IssuesQuery = Closed({
  ...selected,
  figure: Type.String({
    maxLength: 100,
    description: 'A field of `total`, or a part of it: `completed`, `completed.proven`, `runs.failed`.'
  }),
  group: Type.Optional(
    Type.String({ maxLength: 100, description: 'The `id` of a group; `none`: of the one without. Default: all.' })
  )
})

export const ListedIssues = Closed({
  items: Type.Array(Closed({ id: IdText, key: Type.String(), title: Type.String(), at: Time }), {
    maxItems: 200,
    description: 'The last first, by when it happened.'
  }),
  hasMore: Type.Boolean({ description: 'There are more than 200.' })
})

export function insightsSchema(measures: Readonly<Record<string, TSchema>>): TSchema {
  const figures = { ...ownSchemas, ...measures }
  return Closed({
    from: Day,
    to: Day,
    by: Type.Enum([...GROUPINGS]),
    isComplete: Type.Boolean({
      description: 'False: what the figures are read from is made again, or late: they are too low, for some time.'
    }),
    total: Closed({
      ...figures,
      timeInState: Type.Array(
        Closed({
          state: Type.String(),
          category: Nullable(Type.Enum([...STATE_CATEGORIES])),
          hours: Type.Number({ description: 'Of an issue, on average over all that were completed.' }),
          issues: Type.Integer({ description: 'Those that were in the state.' })
        }),
        { description: 'How long the completed issues were in each state before.' }
      )
    }),
    groups: Type.Array(
      Closed({
        id: Nullable(Type.String({ description: 'A Monday, or a UUID; null: none.' })),
        name: Nullable(Type.String()),
        kind: Type.Optional(Type.Enum(['PERSON', 'AGENT'], { description: 'Of an account.' })),
        ...figures
      }),
      { maxItems: 100, description: 'Weeks in order; of others those with the most completed issues first.' }
    ),
    hasMore: Type.Boolean({ description: 'There are more than 100 groups.' })
  })
}
