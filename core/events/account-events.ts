import { Type } from 'typebox'
import { core } from '../api/points.ts'
import { Closed } from '../api/schemas.ts'
import { eventType } from './contract.ts'
import { ChangesData, NoData } from './schemas.ts'

/* The events of accounts and tokens, which belong to the core; plugins emit them. */

const Account = Closed({ kind: Type.Enum(['PERSON', 'AGENT']), fullname: Type.String() })

export const accountCreated = eventType(core, 'account.created', {
  summary: 'A person or an agent was added or imported.',
  logged: ['kind'],
  data: Account
})
export const accountUpdated = eventType(core, 'account.updated', {
  summary: 'The name, e-mail address, role or scopes of a person or an agent changed.',
  logged: [],
  data: ChangesData
})
export const accountDeleted = eventType(core, 'account.deleted', {
  summary: 'A person or an agent was removed, with all tokens.',
  logged: ['kind'],
  data: Account
})
export const accountTokenRotated = eventType(core, 'account.token_rotated', {
  summary: 'An agent got a new token, and its former one is refused.',
  audience: 'admin',
  logged: [],
  data: NoData
})
export const tokenCreated = eventType(core, 'token.created', {
  summary: 'A person got an access token.',
  audience: 'account',
  logged: [],
  data: Closed({ name: Type.String() })
})
export const tokenRevoked = eventType(core, 'token.revoked', {
  summary: 'A person revoked an access token.',
  audience: 'account',
  logged: [],
  data: Closed({ name: Type.String() })
})

const method = Type.String({ description: 'How it was proved who signs in: `password`, `token`, `oidc`.' })
export const sessionStarted = eventType(core, 'session.started', {
  summary: 'A person has signed in with a browser.',
  audience: 'admin',
  logged: ['method'],
  data: Closed({ method })
})
export const sessionEnded = eventType(core, 'session.ended', {
  summary: 'Sessions of a person were ended: by signing out or in again, or with the password.',
  subject: 'account',
  audience: 'admin',
  logged: ['sessions'],
  data: Closed({ sessions: Type.Integer() })
})
/** Not logged by `logged`: the refusing code logs it, for unknown people, too. */
export const signInFailed = eventType(core, 'sign_in.failed', {
  summary: 'An attempt to sign in as a person was refused.',
  subject: 'account',
  audience: 'admin',
  data: Closed({ method, reason: Type.String() })
})
export const accountEvents = [
  accountCreated,
  accountUpdated,
  accountDeleted,
  accountTokenRotated,
  tokenCreated,
  tokenRevoked,
  sessionStarted,
  sessionEnded,
  signInFailed
]
