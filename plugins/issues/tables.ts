import type { ColumnType } from 'kysely'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import type { DocJson } from '../../lib/rich-text/index.ts'

export const LINK_KINDS = ['commit', 'pull_request'] as const
export const LINK_STATES = ['open', 'merged', 'closed'] as const
export type LinkKind = (typeof LINK_KINDS)[number]
export type LinkState = (typeof LINK_STATES)[number]

/** A relation as seen from one of its ends. */
export type RelationType = 'BLOCKS' | 'BLOCKED' | 'RELATED' | 'DUPLICATE' | 'DUPLICATE_OF' | 'SIMILAR'
/** As stored, once: `issueId` blocks, duplicates, … `relatedIssueId`. */
export type StoredRelationType = 'BLOCKS' | 'RELATED' | 'DUPLICATE_OF' | 'SIMILAR'

type Json<T> = ColumnType<T, string, string>

export interface RowOfIssue {
  workspaceId: Id
  id: Id
  issueId: Id
  createdById: Id
  createdAt: Timestamp
}

export interface IssuesTables {
  issue: {
    workspaceId: Id
    id: Id
    teamId: Id
    number: number
    title: string
    /** Canonical ProseMirror JSON; null: an empty description. */
    description: Json<DocJson> | null
    descriptionMarkdown: string
    /** The size of `description` as JSON text; a generated column. */
    descriptionBytes: ColumnType<number, never, never>
    /** True if it has prose beside its title, headings and checklists. */
    described: boolean
    criteriaMet: number
    criteriaTotal: number
    stateId: Id
    assigneeId: Id | null
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
    rev: ColumnType<number, number | undefined, number>
    /** It is in the trash, until it is purged. */
    deletedAt: Moment
    /** Its texts were removed for good; the row keeps its key. */
    purgedAt: Moment
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
    /** The kind of its target, for links that a plugin keeps; null for those of people. */
    kind: LinkKind | null
    state: LinkState | null
    stateAt: Moment
    createdAt: Timestamp
    deletedAt: Moment
  }
  /** Append-only history: one row per change of one field. */
  issueChange: {
    workspaceId: Id
    id: Id
    issueId: Id
    at: Timestamp
    actorId: Id
    /** Its token; null for imports from other trackers. */
    tokenId: Id | null
    change: string
    fromName: string | null
    toName: string | null
    /** The ids of the named records, for a reference or list; null: an import, or an older release. */
    fromId: ColumnType<Id | null, Id | null | undefined, Id | null>
    toId: ColumnType<Id | null, Id | null | undefined, Id | null>
    /** The new revision; null: an import, or an older release. */
    rev: number | null
  }
  /** Former descriptions: the last few of each issue, for some days. */
  issueFormerDescription: {
    workspaceId: Id
    issueId: Id
    /** The last revision that had it. */
    rev: number
    markdown: string
    /** The size of `markdown`; a generated column. */
    bytes: ColumnType<number, never, never>
    replacedAt: Timestamp
    replacedById: Id
    /** True if only boxes were ticked. */
    isTicks: boolean
  }
  /** The revision up to which others' changes were reported to an account. */
  issueToldChange: { workspaceId: Id; issueId: Id; accountId: Id; rev: number; toldAt: Timestamp }
  /** Keys from before a move; they still find the issue. */
  issueFormerKey: { workspaceId: Id; teamId: Id; number: number; issueId: Id; movedAt: Moment }
  /** Uppercase names of issues in another tracker; two issues may have had the same. */
  issueOldKey: { workspaceId: Id; key: string; issueId: Id }
  issueKeyReservation: { workspaceId: Id; id: Id; teamId: Id; number: number }
  issueCounter: { workspaceId: Id; teamId: Id; last: number }
  /** The number of issues in each state, in shards to be summed: triggers maintain it. */
  issueTally: { workspaceId: Id; teamId: Id; stateId: Id; shard: number; n: number }
  /** Likewise of a label, an assignee or a project, by its id. */
  issueThingsTally: { workspaceId: Id; thingId: Id; shard: number; n: number }
}
