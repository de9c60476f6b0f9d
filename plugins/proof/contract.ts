import { contract } from '../../core/api/contract.ts'
import type { Id, Timestamp } from '../../core/api/database/types.ts'

export interface ProofTables {
  /** Who ticked a criterion of the description, and what shows that it is met. Only of those that are ticked. */
  issueTick: {
    workspaceId: Id
    issueId: Id
    /** A digest of the criterion's text, regardless of case and white space. */
    digest: string
    /** Counts from 1 among the criteria with the same text. */
    occurrence: number
    /** Its place among all criteria, from 1. */
    n: number
    text: string
    /** Null: it is not known. */
    byId: Id | null
    tokenId: Id | null
    at: Timestamp
    /** Markdown. */
    evidence: string | null
  }
}

export const proof = contract<object, ProofTables>()('proof')
