import { Type, type Static, type TSchema } from 'typebox'
import {
  changesOf,
  Closed,
  Color,
  IdText,
  Line,
  Nullable,
  optional,
  previously,
  secretShownOnce,
  Time
} from '../../core/api/schemas.ts'
import { CLOSING_CRITERIA, STATE_CATEGORIES, type TeamField } from './contract.ts'

const fullname = Line(200)
const email = Type.String({ format: 'email', maxLength: 320 })
const Role = Type.Enum(['ADMIN', 'MEMBER'])

export const Account = Closed({
  id: IdText,
  fullname: Type.String(),
  email: Nullable(Type.String()),
  kind: Type.Enum(['PERSON', 'AGENT']),
  role: Role,
  scopes: Nullable(Type.Array(Type.String()), {
    description: 'An agent’s; null for a person, who may do everything.'
  }),
  createdAt: Time
})
export const Me = Closed({ ...Account.properties, workspace: Closed({ id: IdText, name: Type.String() }) })
const personFields = { email, fullname, role: Role }
export const NewPerson = Closed({ ...personFields, role: Type.Optional(Role) })
export const PersonChanges = Closed(changesOf(Account, personFields))
export const PersonWithToken = Closed({
  ...Account.properties,
  ...secretShownOnce(
    'token',
    'Shown only now.',
    'The token was shown once, in the first answer: make another with `npm run tracker -- token --email ADDRESS`.'
  )
})

export const NewAccessToken = Closed({ name: Line(100), expiresAt: Type.Optional(Time) })
export const AccessToken = Closed({
  id: IdText,
  name: Type.String(),
  createdAt: Time,
  lastUsedAt: Nullable(Time),
  expiresAt: Nullable(Time)
})
export const AccessTokenShown = Closed({
  id: IdText,
  name: Type.String(),
  ...secretShownOnce(
    'token',
    'Shown only now.',
    'The token was shown once, in the first answer: revoke it with DELETE /v1/users/pats/:patId, and make another.'
  ),
  expiresAt: Nullable(Time)
})

const identifier = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9]{0,9}$',
  description: 'One to ten letters and digits: the first part of every issue’s key.'
})
const Closing = Closed(
  { criteria: Type.Enum([...CLOSING_CRITERIA]) },
  {
    description:
      'The rule for completing issues: none (ANY), each criterion met (MET), or also evidence for the criteria that ' +
      'agents ticked (PROVEN). Only people set it.'
  }
)
const Team = Closed({
  id: IdText,
  identifier: Type.String(),
  name: Type.String(),
  closing: Closing,
  createdAt: Time
})
export const NewTeam = Closed({ identifier, name: Line(100) })
const TeamChanges = Closed(optional({ name: Line(100), closing: Closing }))

export function teamSchemas(fields: readonly TeamField[]) {
  const more: Record<string, TSchema> = Object.fromEntries(
    fields.map(({ name, schema }) => [name, Type.Optional(Nullable(schema))])
  )
  const all: Record<string, TSchema> = { ...Team.properties, ...more }
  const previous = previously(Closed(all), ['name', 'closing', ...Object.keys(more)])
  return {
    Team: Closed({ ...Team.properties, ...more }),
    TeamChanges: Closed({ ...TeamChanges.properties, ...more, previous }, { minProperties: 1 })
  }
}
export type TeamPatch = Static<typeof TeamChanges> & { previous?: Record<string, unknown> } & Record<string, unknown>

const Category = Type.Enum([...STATE_CATEGORIES])
export const WorkflowState = Closed({
  id: IdText,
  name: Type.String(),
  category: Category,
  position: Type.Number(),
  color: Type.String(),
  teamId: IdText
})
const stateFields = { name: Line(60), category: Category, position: Type.Number(), color: Color }
export const NewWorkflowState = Closed({
  ...stateFields,
  position: Type.Optional(Type.Number({ description: 'Among the states of its category; default: last.' })),
  color: Type.Optional(Color)
})
export const WorkflowStateChanges = Closed(changesOf(WorkflowState, stateFields))

export const Label = Closed({ id: IdText, name: Type.String(), color: Type.String(), createdAt: Time })
const labelFields = { name: Line(100), color: Color }
export const NewLabel = Closed({ ...labelFields, color: Type.Optional(Color) })
export const LabelChanges = Closed(changesOf(Label, labelFields))

export const labelEvent = ({ id, name, color }: { id: string; name: string; color: string }) => ({
  subjectId: id,
  data: { name, color }
})

export const Directory = Closed({
  id: IdText,
  name: Type.String(),
  teams: Type.Array(
    Closed({
      id: IdText,
      identifier: Type.String(),
      name: Type.String(),
      states: Type.Array(Closed({ id: IdText, name: Type.String(), category: Category, position: Type.Number() }))
    })
  ),
  labels: Type.Array(Closed({ id: IdText, name: Type.String() })),
  members: Type.Array(Closed({ id: IdText, fullname: Type.String(), kind: Type.Enum(['PERSON', 'AGENT']) }))
})

export const withIsoDate = <T extends { createdAt: Date }>(row: T) => ({
  ...row,
  createdAt: row.createdAt.toISOString()
})
