import { Type } from 'typebox'
import { Closed, IdText, Nullable, Time } from '../../core/api/schemas.ts'

export const ClaimOfRow = Closed(
  { holderId: IdText, expiresAt: Type.Optional(Nullable(Time)) },
  { description: 'Who works on it, and until when without further requests; a person’s never expires.' }
)

export const Claim = Closed(
  {
    holder: Closed({ id: IdText, fullname: Type.String() }),
    session: Type.Optional(Type.String({ description: 'The agent’s session that has it.' })),
    since: Time,
    expiresAt: Type.Optional(Time),
    fence: Type.Integer({ description: 'One more with every change of holder; for `If-Claim`.' })
  },
  { description: 'Who works on the issue. An agent’s claim lapses at `expiresAt`, unless it sends a request before.' }
)
