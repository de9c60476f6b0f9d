import type { ColumnType } from 'kysely'
import { Type } from 'typebox'
import { contract, type Principal } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { ChangesData, eventType } from '../../core/api/events.ts'
import { Closed, IdText, Nullable } from '../../core/api/schemas.ts'
import type { SolvedIssue } from '../search/contract.ts'

export const KINDS = ['FACT', 'DECISION', 'CONVENTION', 'PITFALL', 'HOWTO'] as const
export type Kind = (typeof KINDS)[number]
/** EXPIRED is not stored: it follows from `expiresAt`. */
export type StoredStatus = 'ACTIVE' | 'SUPERSEDED' | 'DISPUTED'
/** Why an entry may no longer hold: its issue got another description, or was opened again. */
export const DOUBTS = ['CHANGED', 'REOPENED'] as const
export type Doubt = (typeof DOUBTS)[number]
/** Filters of the list of entries, by how they fared. */
export const STANDINGS = ['HELPED', 'UNHELPED', 'WRONG', 'DOUBTED'] as const
/** How an issue ended for which an entry was served. */
export type Outcome = 'COMPLETED' | 'CANCELED' | 'REOPENED'
export const STATUSES = ['ACTIVE', 'SUPERSEDED', 'DISPUTED', 'EXPIRED'] as const

export interface KnowledgeTables {
  knowledgeEntry: {
    workspaceId: Id
    id: Id
    content: string
    kind: Kind
    tags: string[]
    /** Its scope; all null: the whole workspace. */
    teamId: Id | null
    projectId: Id | null
    issueId: Id | null
    createdById: Id
    createdAt: Timestamp
    supersedesId: Id | null
    status: StoredStatus
    expiresAt: Moment
    doubt: Doubt | null
    deletedAt: Moment
    /** Null: unknown. */
    deletedById: ColumnType<Id | null, null | undefined, Id | null>
    /** When it was removed for good: its text is gone. */
    purgedAt: ColumnType<Date | null, null | undefined, Date>
  }
  /** One row for each entry in each answer. */
  knowledgeServing: {
    workspaceId: Id
    id: Id
    entryId: Id
    tokenId: Id
    /** The issue of the request, if it named one. */
    issueId: Id | null
    session: string | null
    requestId: string
    at: Timestamp
  }
  /** Marks of entries: one by each account for each issue. */
  knowledgeMark: {
    workspaceId: Id
    id: Id
    entryId: Id
    accountId: Id
    /** The issue for which the entry was read, if any. */
    issueId: Id | null
    isHelpful: boolean
    at: Timestamp
  }
  knowledgeOutcome: { workspaceId: Id; entryId: Id; issueId: Id; outcome: Outcome; at: Timestamp }
}
export interface KnownContext {
  entries: Array<{
    id: Id
    kind: Kind
    content: string
    tags?: string[]
    status?: 'DISPUTED'
    doubt?: Doubt
    helped?: number
    wrong?: number
    because: Array<'issue' | 'parent' | 'project' | 'team' | 'label' | 'words'>
  }>
  solved: SolvedIssue[]
  omitted: { entries: number; solved: number }
}

export interface KnowledgeServices {
  /**
   * Knowledge for an issue, a question or both, within `budget` tokens.
   * @param served each entry counts as served to the caller, in `session`; undefined: none does
   * @throws 403, 404
   */
  context(
    caller: Principal,
    task: { issueRef?: string | undefined; question?: string | undefined; budget?: number },
    served: { requestId: string; session?: string | undefined } | undefined
  ): Promise<KnownContext>
}
export const knowledge = contract<KnowledgeServices, KnowledgeTables>()('knowledge')

const EntryData = Closed({ kind: Type.Enum([...KINDS]), supersedesId: Nullable(IdText) })
export const knowledgeCreated = eventType(knowledge, 'knowledge.created', {
  summary: 'A fact was remembered or imported.',
  data: EntryData
})
export const knowledgeUpdated = eventType(knowledge, 'knowledge.updated', {
  summary: 'An entry changed, was disputed or superseded, or was restored after its deletion (`restored`).',
  data: ChangesData
})
export const knowledgeMarked = eventType(knowledge, 'knowledge.marked', {
  summary: 'An account said that an entry helped, or that it is wrong.',
  data: Closed({ helpful: Type.Boolean(), issueId: Nullable(IdText) })
})
export const knowledgeDeleted = eventType(knowledge, 'knowledge.deleted', {
  summary: 'An entry was removed: it can be restored until it is removed for good.',
  data: Closed({ kind: Type.Enum([...KINDS]) })
})
