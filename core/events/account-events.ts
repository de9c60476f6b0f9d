import { Type } from 'typebox'
import { core } from '../points.ts'
import { Closed } from '../schemas.ts'
import { eventType } from './contract.ts'
import { ChangesData, NoData } from './schemas.ts'

/*
 * Accounts and tokens are the core's; the plugins that change them emit these.
 */

const Account = Closed({ kind: Type.Enum(['PERSON', 'AGENT']), fullname: Type.String() })

export const accountCreated = eventType(core, 'account.created', {
  summary: 'A person or an agent was added or imported.',
  data: Account
})
export const accountUpdated = eventType(core, 'account.updated', {
  summary: 'The name, e-mail address, role or scopes of a person or an agent changed.',
  data: ChangesData
})
export const accountDeleted = eventType(core, 'account.deleted', {
  summary: 'A person or an agent was removed, with all tokens.',
  data: Account
})
export const accountTokenRotated = eventType(core, 'account.token_rotated', {
  summary: 'An agent got a new token, and its former one is refused.',
  audience: 'admin',
  data: NoData
})
export const tokenCreated = eventType(core, 'token.created', {
  summary: 'A person got an access token.',
  audience: 'account',
  data: Closed({ name: Type.String() })
})
export const tokenRevoked = eventType(core, 'token.revoked', {
  summary: 'A person revoked an access token.',
  audience: 'account',
  data: Closed({ name: Type.String() })
})
export const accountEvents = [
  accountCreated,
  accountUpdated,
  accountDeleted,
  accountTokenRotated,
  tokenCreated,
  tokenRevoked
]
