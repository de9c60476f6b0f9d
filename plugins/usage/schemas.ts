import { Type } from 'typebox'
import { Closed, Day, IdText, Line, Nullable, Ref } from '../../core/api/schemas.ts'
import { GROUPS } from './queries.ts'

const Tokens = (description: string, options = {}) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description, ...options })

export const NewReport = Closed({
  reportId: Line(200, {
    minLength: 1,
    description: 'Yours, such as session and model: a report with the same one and the same token replaces the former.'
  }),
  issueId: Type.Optional(Ref('The UUID or key of the issue that was worked on; of a run by default its issue.')),
  runId: Type.Optional(Type.String({ ...IdText, description: 'With the token of that run only; there the default.' })),
  session: Type.Optional(Line(200, { minLength: 1, description: 'The client’s name of its session.' })),
  model: Line(200, { minLength: 1, description: 'As its provider names it.' }),
  inputTokens: Tokens('Input so far, without what was read from a cache.'),
  outputTokens: Tokens('Output so far.'),
  cachedTokens: Tokens('Input so far that was read from a cache.', { default: 0 }),
  costUsd: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description: 'What it has cost so far; without it the configured price of the model counts, if there is one.'
    })
  )
})

const cost = {
  costUsd: Type.Optional(Type.Number({ description: 'Absent: unknown.' })),
  estimated: Type.Optional(
    Type.Literal(true, { description: '`costUsd`, or a part of it, is computed from configured prices.' })
  ),
  costUnknown: Type.Optional(
    Type.Literal(true, { description: 'The cost of a report is unknown: together they cost more than `costUsd`.' })
  )
}
const tokens = {
  inputTokens: Type.Number({ description: 'Without what was read from a cache.' }),
  outputTokens: Type.Number(),
  cachedTokens: Type.Number({ description: 'Input that was read from a cache.' })
}
export const StoredReport = Closed({
  reportId: Type.String(),
  issueId: Nullable(IdText),
  runId: Nullable(IdText),
  model: Type.String(),
  ...tokens,
  ...cost
})
export const SumsOfReports = Closed({ ...tokens, ...cost })

export const CostOfRow = Type.Number({ description: 'What agents have reported, in USD; absent: unknown.' })

export const UsageQuery = Closed({
  by: Type.Enum([...GROUPS, 'project', 'cycle'], {
    default: 'issue',
    description: 'What the reports are grouped by. Days are those of the first report, in UTC.'
  }),
  issueId: Type.Optional(Ref('The UUID or key of an issue.')),
  agentId: Type.Optional(Ref('The account that reported: its UUID or name.')),
  projectId: Type.Optional(Type.String({ ...IdText, description: 'The project that the issues have now.' })),
  cycleId: Type.Optional(Type.String({ ...IdText, description: 'The cycle that the issues have now.' })),
  from: Type.Optional(Type.String({ ...Day, description: 'The first day, in UTC.' })),
  to: Type.Optional(Type.String({ ...Day, description: 'The last day, in UTC.' })),
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 })
})
export const UsageAnswer = Closed({
  total: Closed(SumsOfReports.properties, { description: 'Of all selected reports.' }),
  items: Type.Array(
    Closed({
      id: Nullable(Type.String({ description: 'A UUID, a model or a day; null: none.' })),
      name: Nullable(Type.String({ description: 'For people: a key, a name, a model or a day.' })),
      ...SumsOfReports.properties
    }),
    { description: 'The costliest first; of days the last.' }
  ),
  hasMore: Type.Boolean({ description: 'There are more than `limit`: narrow the selection, or raise the limit.' })
})
