import { Type } from 'typebox'
import { contract, job, problem } from '../../core/api/contract.ts'
import type { Id, Timestamp } from '../../core/api/database/types.ts'
import { eventType } from '../../core/api/events.ts'
import { Closed } from '../../core/api/schemas.ts'

export interface OidcTables {
  /** The identity of a person at a provider: the issuer and the subject. */
  oidcIdentity: { workspaceId: Id; id: Id; accountId: Id; issuer: string; subject: string; linkedAt: Timestamp }
  /** An unfinished attempt to sign in, by the hash of its state. */
  oidcAttempt: { state: Uint8Array; expiresAt: Timestamp }
  /** A proven identity whose person chooses one of several workspaces, by the hash of the browser's secret. */
  oidcChoice: { secret: Uint8Array; issuer: string; subject: string; expiresAt: Timestamp }
}
export const oidc = contract<object, OidcTables>()('oidc')

const Identity = Closed({ accountId: Type.String(), issuer: Type.String() })
export const identityLinked = eventType(oidc, 'identity.linked', {
  summary: 'A person can sign in with an identity at a provider.',
  audience: 'account',
  logged: ['issuer'],
  data: Identity
})
export const identityUnlinked = eventType(oidc, 'identity.unlinked', {
  summary: 'A person can no longer sign in with an identity at a provider.',
  audience: 'account',
  logged: ['issuer'],
  data: Identity
})

export const forgetAttempts = job<Record<string, never>>()(oidc, 'forgetAttempts')

/** The provider's or the browser's data does not prove an identity. */
export const signInRefused = problem(401, 'SIGN_IN_REFUSED')
export const providerUnreachable = problem(503, 'PROVIDER_UNREACHABLE')
