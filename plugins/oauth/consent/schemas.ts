import { Type } from 'typebox'
import { Closed, IdText, Line, Nullable } from '../../../core/api/schemas.ts'

const MAX_QUERY_LENGTH = 8000

export const Query = Type.String({
  minLength: 1,
  maxLength: MAX_QUERY_LENGTH,
  description: 'The query with which the client has opened the page `/authorize`.'
})
const Scope = Type.String({ minLength: 1, maxLength: 64 })

export const Consent = Closed({
  client: Closed({
    name: Type.String(),
    isProven: Type.Boolean({ description: 'False: the client has named itself, and anybody could use the name.' })
  }),
  redirectHost: Type.String({ description: 'The host to which the browser takes the code.' }),
  workspace: Closed({ id: IdText, name: Type.String() }),
  scopes: Type.Array(
    Closed({
      name: Type.String(),
      summary: Type.String(),
      isSelected: Type.Boolean({ description: 'The client asks for it. Never for `delete`.' })
    })
  ),
  agents: Type.Array(
    Closed(
      { id: IdText, fullname: Type.String(), scopes: Type.Array(Type.String()) },
      {
        description: 'Agents as which you may connect clients.'
      }
    )
  ),
  mayCreateAgent: Type.Boolean()
})

export const Decision = Closed({
  query: Query,
  isApproved: Type.Boolean(),
  agentId: Type.Optional({ ...IdText, description: 'The agent as which the client will act.' }),
  newAgent: Type.Optional(Line(200, { description: 'Instead: the name of a new agent; administrators only.' })),
  scopes: Type.Optional(
    Type.Array(Scope, {
      maxItems: 100,
      uniqueItems: true,
      description: 'Required, with `read`, to approve. The agent has to have them.'
    })
  )
})
export const Answer = Closed({
  redirectTo: Type.String({ description: 'The address of the client, where the browser goes next.' }),
  grantId: Type.Optional({ ...IdText, description: 'The connection: DELETE /v1/oauth/grants/:id ends it.' })
})

export const Grant = Closed({
  id: IdText,
  client: Closed({ id: Type.String(), name: Type.String() }),
  redirectHost: Type.String(),
  agent: Closed({ id: IdText, fullname: Type.String() }),
  person: Closed({ id: IdText, fullname: Type.String() }, { description: 'Who connected it.' }),
  scopes: Type.Array(Type.String()),
  createdAt: Type.String({ format: 'date-time' }),
  lastUsedAt: Nullable(Type.String({ format: 'date-time' }))
})
export const ConnectableAgent = Closed({ agentId: IdText, connectableBy: Type.Array(IdText) })
