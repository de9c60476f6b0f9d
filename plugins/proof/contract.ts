import { contract } from '../../core/api/contract.ts'
import type { Id, Timestamp } from '../../core/api/database/types.ts'

export interface ProofTables {
  /** Authors and evidence of ticked criteria. */
  issueTick: {
    workspaceId: Id
    issueId: Id
    /** A digest of the criterion's text, ignoring case and white space. */
    digest: string
    /** Counts from 1 among the criteria with the same text. */
    occurrence: number
    /** Its place among all criteria, from 1. */
    n: number
    text: string
    /** Null: unknown. */
    byId: Id | null
    tokenId: Id | null
    at: Timestamp
    evidence: string | null
  }
}

export const proof = contract<object, ProofTables>()('proof')
