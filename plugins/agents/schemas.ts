import { Type } from 'typebox'
import { SCOPES } from '../../core/scopes.ts'
import { Closed, IdText, Line, Nullable, Time } from '../../core/schemas.ts'

const Scopes = Type.Array(Type.Enum([...SCOPES]), { minItems: 1, uniqueItems: true })

export const NewAgent = Closed({ name: Line(200), scopes: Type.Optional(Scopes) })
export const AgentChanges = Closed({ name: Type.Optional(Line(200)), scopes: Type.Optional(Scopes) })
export const Agent = Closed({
  id: IdText,
  fullname: Type.String(),
  kind: Type.Literal('AGENT'),
  scopes: Scopes,
  createdAt: Time,
  createdBy: Nullable(Closed({ id: IdText, fullname: Type.String() })),
  lastUsedAt: Nullable(Time)
})
const { lastUsedAt: _, ...fields } = Agent.properties
export const AgentWithToken = Closed({ ...fields, token: Type.String({ description: 'Shown only now.' }) })
export const AgentToken = Closed({
  id: IdText,
  token: Type.String({ description: 'Shown only now; the former token is dead.' })
})
