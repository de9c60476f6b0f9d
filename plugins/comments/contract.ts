import type { ColumnType } from 'kysely'
import { contract, type Principal } from '../../core/contract.ts'
import type { Id, Moment, Timestamp, TransactionHandle } from '../../core/db/tables.ts'
import { eventType } from '../../core/events/contract.ts'
import { ChangesData, NoData } from '../../core/events/schemas.ts'
import type { DocJson } from '../../core/rich-text/index.ts'
import { Closed, IdText, Nullable } from '../../core/schemas.ts'

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
    /** Of `body`, as JSON text; made by the database. */
    bodyBytes: ColumnType<number, never, never>
    createdAt: Timestamp
    updatedAt: Timestamp
    deletedAt: Moment
  }
}

export interface CommentsServices {
  /** Comments on an issue, whose row the caller has locked. */
  add(caller: Principal, trx: TransactionHandle, issueId: Id, bodyMarkdown: string): Promise<Id>
}

export const comments = contract<CommentsServices, CommentsTables>()('comments')

export const commentCreated = eventType(comments, 'comment.created', {
  summary: 'A comment was written or imported.',
  data: Closed({ parentId: Nullable(IdText, { description: 'The comment that it replies to.' }) })
})
export const commentUpdated = eventType(comments, 'comment.updated', {
  summary: 'The text of a comment changed.',
  data: ChangesData
})
export const commentDeleted = eventType(comments, 'comment.deleted', {
  summary: 'A comment was removed, by itself or with the one that it replies to.',
  data: NoData
})
