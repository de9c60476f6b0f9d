import { Type, type Static } from 'typebox'
import { ORIGINS } from '../api/contract.ts'
import { Closed, IdText, Nullable, Time } from '../api/schemas.ts'
import type { LoggedEvent } from './contract.ts'

/** A changed field. For rich text only the name: the content is read from the subject. */
export const FieldChange = Closed({
  field: Type.String(),
  from: Type.Optional(Type.Unknown({ description: 'The former value; of a reference `{id, name}`; null: none.' })),
  to: Type.Optional(Type.Unknown({ description: 'The new value, likewise.' }))
})
/** The data of an event about changed fields. */
export const ChangesData = Closed({ changes: Type.Array(FieldChange) })
/** For events whose type and subject are sufficient. */
export const NoData = Closed({})

/** An event in the API, the stream, webhooks and the audit log. */
export const ShownEvent = Closed({
  id: IdText,
  type: Type.String({ description: 'The type, such as `issue.updated`; docs/events.md lists all.' }),
  at: Time,
  actor: Nullable(Closed({ id: IdText, fullname: Type.String(), kind: Type.Enum(['PERSON', 'AGENT']) }), {
    description: 'Who did it, with the name that the account has now; null: the server itself.'
  }),
  tokenId: Nullable(IdText),
  subject: Closed({ type: Type.String(), id: IdText, key: Type.Optional(Type.String()) }),
  issueId: Type.Optional(IdText),
  rev: Type.Optional(Type.Integer({ description: 'The revision that the subject has since.' })),
  origin: Type.Enum([...ORIGINS]),
  data: Type.Object({}, { additionalProperties: true, description: 'Its fields depend on the type.' })
})
export type EventJson = Static<typeof ShownEvent>

export const eventToJson = (event: LoggedEvent): EventJson => {
  const { id, type, at, actor, tokenId, subject, parentId, rev, origin, data } = event
  return {
    id,
    type,
    at,
    actor,
    tokenId,
    subject,
    ...(parentId !== null && { issueId: parentId }),
    ...(rev !== null && { rev }),
    origin,
    data
  }
}
