import { Type } from 'typebox'
import { contract, job, problem } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { eventType } from '../../core/api/events.ts'
import { Closed, IdText } from '../../core/api/schemas.ts'

export interface OauthTables {
  oauthClient: {
    id: Id
    name: string
    redirectUris: string[]
    /** The SHA-256 of the network that registered it. */
    network: Uint8Array
    createdAt: Timestamp
    expiresAt: Timestamp
  }
  oauthGrant: {
    workspaceId: Id
    id: Id
    accountId: Id
    personId: Id
    /** The id of a registered client, or the address of a client's document. */
    clientId: string
    clientName: string
    redirectHost: string
    scopes: string[]
    createdAt: Timestamp
    expiresAt: Timestamp
    /** When the client got its first token; null: not yet. */
    connectedAt: Moment
    revokedAt: Moment
  }
  /** An authorization code; only its SHA-256 is stored. */
  oauthCode: {
    workspaceId: Id
    hash: Uint8Array
    grantId: Id
    redirectUri: string
    codeChallenge: string
    expiresAt: Timestamp
    usedAt: Moment
  }
  /** A refresh token; only its SHA-256 is stored. */
  oauthRefreshToken: {
    workspaceId: Id
    hash: Uint8Array
    grantId: Id
    expiresAt: Timestamp
    /** The first use. */
    usedAt: Moment
    uses: number
  }
  oauthConnector: { workspaceId: Id; agentId: Id; personId: Id }
}
export const oauth = contract<object, OauthTables>()('oauth')

/** The reasons for which a grant ends. */
export const REVOCATION_REASONS = [
  'REVOKED',
  'CLIENT',
  'CODE_REUSED',
  'REFRESH_TOKEN_REUSED',
  'NOT_CONNECTABLE',
  'ACCOUNT_REMOVED'
] as const
export type RevocationReason = (typeof REVOCATION_REASONS)[number]

const Granted = { agentId: IdText, client: Type.String(), redirectHost: Type.String() }
export const grantCreated = eventType(oauth, 'grant.created', {
  summary: 'A person let a client act as an agent.',
  audience: 'admin',
  logged: ['agentId', 'client', 'redirectHost', 'scopes'],
  data: Closed({ ...Granted, scopes: Type.Array(Type.String()) })
})
export const grantRevoked = eventType(oauth, 'grant.revoked', {
  summary: 'A client can no longer act as an agent.',
  audience: 'admin',
  logged: ['agentId', 'client', 'redirectHost', 'reason'],
  data: Closed({ ...Granted, reason: Type.Enum([...REVOCATION_REASONS]) })
})
export const connectorsChanged = eventType(oauth, 'connectors.changed', {
  summary: 'An administrator changed who may connect clients as an agent.',
  audience: 'admin',
  logged: ['agentId', 'connectableBy'],
  subject: 'account',
  data: Closed({ agentId: IdText, connectableBy: Type.Array(IdText) })
})

export const removeExpired = job<Record<string, never>>()(oauth, 'removeExpired')

/** Too many documents of clients are being fetched. */
export const tooManyClients = problem(429, 'TOO_MANY_CLIENTS')
