import { Type } from 'typebox'
import { contract, type Caller } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { eventType } from '../../core/api/events.ts'
import { Closed, IdText, Nullable, Time } from '../../core/api/schemas.ts'

export interface ClaimsTables {
  /** The current or last holder of an issue. One row for each issue that was ever assigned and STARTED. */
  issueClaim: {
    workspaceId: Id
    issueId: Id
    holderId: Id
    /** The session of an agent that holds it; null: the account does. */
    session: string | null
    since: Timestamp
    /** Null: it never expires. */
    expiresAt: Moment
    /** When `claim.lapsed` was emitted for it. */
    lapsedAt: Moment
    endedAt: Moment
    /** Its holder ended it. */
    isGivenBack: boolean
    /** 1, then one more with every change of holder. */
    fence: number
  }
  /** The history of lapses, for insights. */
  issueClaimLapse: { workspaceId: Id; issueId: Id; at: Timestamp; holderId: Id }
  /** Claims that were taken from agents, so that a late write of theirs is refused. */
  issueLostClaim: {
    workspaceId: Id
    issueId: Id
    accountId: Id
    /** Empty: the account's. */
    session: string
    lostAt: Timestamp
  }
}

export interface ClaimsServices {
  /** Keeps the claims of an agent's account (and session) alive, as each of its requests does. */
  keepAlive(caller: Caller & { readonly accountId: Id }): void
}

export const claims = contract<ClaimsServices, ClaimsTables>()('claims')

const HeldBy = Closed({ id: IdText, fullname: Type.String() })
const ClaimData = {
  holder: HeldBy,
  session: Nullable(Type.String(), { description: 'The agent’s session that holds it; null: the account.' }),
  since: Time,
  fence: Type.Integer({ description: 'One more with every change of holder.' })
}
export const claimLapsed = eventType(claims, 'claim.lapsed', {
  subject: 'issue',
  summary: 'An agent that worked on an issue was silent for too long: it keeps the issue until somebody takes it.',
  data: Closed({ ...ClaimData, expiresAt: Time })
})
export const claimRevived = eventType(claims, 'claim.revived', {
  subject: 'issue',
  summary: 'An agent whose claim had lapsed wrote to the issue again, before anybody took it.',
  data: Closed(ClaimData)
})
export const claimTaken = eventType(claims, 'claim.taken', {
  subject: 'issue',
  summary: 'An issue that somebody worked on became the work of somebody else.',
  data: Closed({ ...ClaimData, from: Closed({ holder: HeldBy, session: ClaimData.session, lapsed: Type.Boolean() }) })
})
export const claimEvents = [claimLapsed, claimRevived, claimTaken]

declare module '../../core/api/contract.ts' {
  interface Caller {
    /** The fence of a claim, from the header `If-Claim`: a write to an issue with another one is refused. */
    readonly claims?: { readonly fence: number }
  }
}
