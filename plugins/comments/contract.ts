import type { ColumnType } from 'kysely'
import type { Id, Moment, Timestamp } from '../../core/db/tables.ts'
import { contract, event } from '../../core/plugin.ts'
import type { DocJson } from '../../core/rich-text/index.ts'

export interface CommentsTables {
  comment: {
    workspaceId: Id
    id: Id
    issueId: Id
    /** The comment that this one replies to; threads are one level deep. */
    parentId: Id | null
    authorId: Id
    /** The token it was written with; null when it came from another tracker. */
    tokenId: Id | null
    /** ProseMirror JSON, canonical. */
    body: ColumnType<DocJson, string, string>
    /** Made from `body` when it was written. */
    bodyMarkdown: string
    createdAt: Timestamp
    updatedAt: Timestamp
    deletedAt: Moment
  }
}

export const comments = contract<object, CommentsTables>()('comments')

/** A comment was written, changed or deleted. */
export const commentChanged = event<{
  workspaceId: Id
  issueId: Id
  commentId: Id
  kind: 'created' | 'updated' | 'deleted'
}>('comments.changed')
