import { Type } from 'typebox'
import type { Scope } from '../../core/api/contract.ts'
import { Closed, IdText, Line, Nullable, optional, previously, secretShownOnce, Time } from '../../core/api/schemas.ts'

export const Agent = Closed({
  id: IdText,
  fullname: Type.String(),
  kind: Type.Literal('AGENT'),
  scopes: Type.Array(Type.String()),
  createdAt: Time,
  createdBy: Nullable(Closed({ id: IdText, fullname: Type.String() })),
  lastUsedAt: Nullable(Time)
})
/** Bodies with scopes, which depend on the enabled plugins. */
export function agentBodies(scopes: readonly Scope[]) {
  const names = Type.Array(Type.Enum(scopes.map(({ name }) => name)), { minItems: 1, uniqueItems: true })
  return {
    NewAgent: Closed({ name: Line(200), scopes: Type.Optional(names) }),
    AgentChanges: Closed({
      ...optional({ name: Line(200), scopes: names }),
      previous: previously(Agent, ['fullname', 'scopes'])
    })
  }
}
const { lastUsedAt: _, ...fields } = Agent.properties
const ROTATE = 'The token was shown once, in the first answer: get another with POST /v1/users/agents/:id/token.'
export const AgentWithToken = Closed({ ...fields, ...secretShownOnce('token', 'Shown only now.', ROTATE) })
export const AgentToken = Closed({
  id: IdText,
  ...secretShownOnce('token', 'Shown only now; the previous token is revoked.', ROTATE)
})
