import type { Id, Moment, Timestamp } from '../../core/db/tables.ts'
import { contract } from '../../core/plugin.ts'

export const KINDS = ['FACT', 'DECISION', 'CONVENTION', 'PITFALL', 'HOWTO'] as const
export type Kind = (typeof KINDS)[number]
/** EXPIRED is not stored: it follows from `expiresAt`. */
export type StoredStatus = 'ACTIVE' | 'SUPERSEDED' | 'DISPUTED'
export const STATUSES = ['ACTIVE', 'SUPERSEDED', 'DISPUTED', 'EXPIRED'] as const

export interface KnowledgeTables {
  knowledgeEntry: {
    workspaceId: Id
    id: Id
    content: string
    kind: Kind
    tags: string[]
    /** What it is about; all null: the whole workspace. */
    teamId: Id | null
    projectId: Id | null
    issueId: Id | null
    createdById: Id
    createdAt: Timestamp
    supersedesId: Id | null
    status: StoredStatus
    expiresAt: Moment
    deletedAt: Moment
  }
  /** One row for each entry in each answer. */
  knowledgeServing: {
    workspaceId: Id
    id: Id
    entryId: Id
    tokenId: Id
    session: string | null
    requestId: string
    at: Timestamp
  }
}
export const knowledge = contract<object, KnowledgeTables>()('knowledge')
