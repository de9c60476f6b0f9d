import type { ColumnType } from 'kysely'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import type { DocJson } from '../../lib/rich-text/index.ts'

export const LINK_KINDS = ['commit', 'pull_request'] as const
export const LINK_STATES = ['open', 'merged', 'closed'] as const
export type LinkKind = (typeof LINK_KINDS)[number]
export type LinkState = (typeof LINK_STATES)[number]

/** As a relation is seen from one of its ends. */
export type RelationType = 'BLOCKS' | 'BLOCKED' | 'RELATED' | 'DUPLICATE' | 'DUPLICATE_OF' | 'SIMILAR'
/** As it is stored, once: `issueId` blocks, duplicates, … `relatedIssueId`. */
export type StoredRelationType = 'BLOCKS' | 'RELATED' | 'DUPLICATE_OF' | 'SIMILAR'

/** JSON that is written as text and read as what it holds. */
type Json<T> = ColumnType<T, string, string>

export interface IssuesTables {
  issue: {
    workspaceId: Id
    id: Id
    teamId: Id
    number: number
    title: string
    /** ProseMirror JSON, canonical; null is an empty description. */
    description: Json<DocJson> | null
    /** Made from `description` when it was written. */
    descriptionMarkdown: string
    /** The size of `description` as JSON text; computed by the database. */
    descriptionBytes: ColumnType<number, never, never>
    /** Whether it says something beside its title, headings and checklists. */
    described: boolean
    /** Checklist items of the description, counted when it was written. */
    criteriaMet: number
    criteriaTotal: number
    stateId: Id
    assigneeId: Id | null
    /** Since when the assignee has it. */
    assignedAt: Moment
    /** 0 none, 1 urgent, 2 high, 3 medium, 4 low. */
    priority: number
    estimate: number | null
    /** `YYYY-MM-DD`. */
    dueDate: string | null
    sortOrder: number
    parentId: Id | null
    createdById: Id
    updatedById: Id
    createdAt: Timestamp
    updatedAt: Timestamp
    completedAt: Moment
    /** 1, then one more with every change. */
    rev: ColumnType<number, number | undefined, number>
    deletedAt: Moment
  }
  issueLabel: { workspaceId: Id; issueId: Id; labelId: Id }
  issueRelation: {
    workspaceId: Id
    id: Id
    issueId: Id
    relatedIssueId: Id
    type: StoredRelationType
    createdById: Id
    createdAt: Timestamp
    deletedAt: Moment
  }
  issueLink: {
    workspaceId: Id
    id: Id
    issueId: Id
    url: string
    title: string
    /** What it is where it leads, of links that a plugin keeps; null for those of people. */
    kind: LinkKind | null
    state: LinkState | null
    /** When the link was in this state. */
    stateAt: Moment
    createdAt: Timestamp
    deletedAt: Moment
  }
  /** History: appended to, never changed. One row per change of one field. */
  issueChange: {
    workspaceId: Id
    id: Id
    issueId: Id
    at: Timestamp
    actorId: Id
    /** The token it was done with; null when it came from another tracker. */
    tokenId: Id | null
    change: string
    /** Names as they were then, for readers; null is none. */
    fromName: string | null
    toName: string | null
    /** The revision that it made; null: an import, or an older release, did not tell. */
    rev: number | null
  }
  /** What descriptions said before they were changed: the last few of each issue, for some days. */
  issueFormerDescription: {
    workspaceId: Id
    issueId: Id
    /** The last revision that had it. */
    rev: number
    markdown: string
    /** Of `markdown`; computed by the database. */
    bytes: ColumnType<number, never, never>
    replacedAt: Timestamp
    replacedById: Id
    /** Whether only boxes were ticked. */
    isTicks: boolean
  }
  /** Up to which revision an account was told that others have changed an issue. */
  issueToldChange: { workspaceId: Id; issueId: Id; accountId: Id; rev: number; toldAt: Timestamp }
  /** Who works on an issue, or did last. One row for each issue that ever was assigned and STARTED. */
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
    /** Whether its holder ended it. */
    isGivenBack: boolean
    /** 1, then one more with every change of holder. */
    fence: number
  }
  /** Claims that were taken from agents, so that a late write of theirs is refused. */
  issueLostClaim: {
    workspaceId: Id
    issueId: Id
    accountId: Id
    /** Empty: the account's. */
    session: string
    lostAt: Timestamp
  }
  /** Keys from before a move; they still find the issue. */
  issueFormerKey: { workspaceId: Id; teamId: Id; number: number; issueId: Id; movedAt: Moment }
  /** Names that issues had in another tracker, in capitals; two issues may have had the same. */
  issueOldKey: { workspaceId: Id; key: string; issueId: Id }
  /** Numbers that wait for issues of an import. */
  issueKeyReservation: { workspaceId: Id; id: Id; teamId: Id; number: number }
  /** The last number given in a team. */
  issueCounter: { workspaceId: Id; teamId: Id; last: number }
  /** How many issues each state has, in parts that add up: triggers keep it. */
  issueTally: { workspaceId: Id; teamId: Id; stateId: Id; shard: number; n: number }
  /** How many issues have a label, an assignee or a project, by its id, in parts that add up: triggers keep it. */
  issueThingsTally: { workspaceId: Id; thingId: Id; shard: number; n: number }
}
