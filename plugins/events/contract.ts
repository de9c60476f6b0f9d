import { Type, type Static } from 'typebox'
import { contract, ORIGINS, point, problem, type Principal } from '../../core/api/contract.ts'
import type { DatabaseHandle, Id } from '../../core/api/database/types.ts'
import type { LoggedEvent } from '../../core/api/events.ts'
import { Closed, IdText, Nullable, Time } from '../../core/api/schemas.ts'

export const events = contract()('events')

/** Events after the cursor were removed. `oldest`: the oldest cursor that is still valid. */
export const cursorExpired = problem<{ oldest: string }>(410, 'CURSOR_EXPIRED')

/** Finds subjects of events by name: the log has only their ids. */
export interface SubjectLookup {
  /** The `subjectType` of events. */
  readonly type: string
  /** @param name such as a key @throws 404 */
  find(principal: Principal, db: DatabaseHandle, name: string): Promise<Id>
}
export const subjectLookups = point<SubjectLookup>()(events, 'subjectLookups')

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
