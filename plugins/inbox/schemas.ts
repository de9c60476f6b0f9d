import { Type } from 'typebox'
import { Closed, IdText, Nullable, Ref, Time } from '../../core/api/schemas.ts'
import { REASONS } from './contract.ts'
import { MAX_COUNTED } from './queries.ts'

export const tags = ['inbox']

export const Page = Closed({
  unread: Type.Boolean({ default: false, description: 'Only unread entries.' }),
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before.' }))
})
const Entry = Closed({
  id: IdText,
  reason: Type.Enum([...REASONS]),
  at: Time,
  readAt: Nullable(Time, { description: 'Null: it is unread.' }),
  actor: Nullable(Closed({ id: IdText, fullname: Type.String() }), { description: 'Null: the server itself.' }),
  subject: Closed(
    { type: Type.String(), id: IdText },
    { description: 'Its subject: an issue, a comment (also a question), a run.' }
  ),
  issue: Closed({ id: IdText, key: Type.String(), title: Type.String() })
})
export const Inbox = Closed({
  entries: Type.Array(Entry),
  unread: Type.Integer({ description: `How many entries are unread, counted to ${MAX_COUNTED}.` }),
  nextCursor: Nullable(Type.String())
})
export const Read = Closed({
  ids: Type.Optional(
    Type.Array(IdText, { maxItems: 1000, description: 'Entries; of one that is not there nothing is said.' })
  ),
  before: Type.Optional(Type.String({ format: 'date-time', description: 'All up to this moment, in place of `ids`.' }))
})
export const Marked = Closed({ read: Type.Integer({ description: 'How many were unread.' }) })
export const issueParams = Closed({ issueId: Ref('The issue’s UUID or key.') })
export const Watching = Closed({ issueId: IdText, watching: Type.Boolean() })
