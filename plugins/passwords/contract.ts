import { contract, job, problem } from '../../core/api/contract.ts'
import { Type } from 'typebox'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { eventType } from '../../core/api/events.ts'
import { Closed } from '../../core/api/schemas.ts'

export interface PasswordsTables {
  /** The password of a person, as an argon2id hash in the PHC string format. */
  password: { workspaceId: Id; accountId: Id; hash: string; changedAt: Timestamp }
  /** Attempts to sign in, by account and place and by network, as hashes; before `nextAt` further ones are refused. */
  signInFailure: { subject: Uint8Array; failures: number; lastAt: Timestamp; nextAt: Moment }
}
export const passwords = contract<object, PasswordsTables>()('passwords')

export const passwordChanged = eventType(passwords, 'password.changed', {
  summary: 'A person has another password, or a first one.',
  subject: 'account',
  audience: 'admin',
  logged: ['how'],
  data: Closed({ how: Type.Enum(['first', 'changed', 'command']) })
})

export const forgetFailures = job<Record<string, never>>()(passwords, 'forgetFailures')

/** The same message for an unknown person, a person without a password, and a wrong password. */
export const wrongPassword = problem(401, 'WRONG_PASSWORD')
/** The password is valid in several: the client sends it again with the `workspaceId` of one of them. */
export const severalWorkspaces = problem<{ workspaces: Array<{ id: Id; name: string }> }>(409, 'SEVERAL_WORKSPACES')
/** A first password for a person who has one already, with their e-mail address. */
export const hasPassword = problem<{ email: string }>(409, 'HAS_PASSWORD')
/** `retryAfter`, and the header `Retry-After`: seconds. */
export const tooManyAttempts = problem<{ retryAfter: number }>(429, 'TOO_MANY_ATTEMPTS')
