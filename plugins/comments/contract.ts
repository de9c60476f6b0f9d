import type { ColumnType, RawBuilder } from 'kysely'
import { Type, type TSchema } from 'typebox'
import { contract, point, type Actor, type Caller } from '../../core/api/contract.ts'
import type {
  DatabaseHandle,
  Id,
  Moment,
  Timestamp,
  TransactionHandle,
  WorkspaceId
} from '../../core/api/database/types.ts'
import { ChangesData, eventType, NoData } from '../../core/api/events.ts'
import type { DocJson } from '../../lib/rich-text/index.ts'
import { Closed, IdText, Nullable } from '../../core/api/schemas.ts'

export const QUESTION_STATUSES = ['OPEN', 'ANSWERED', 'WITHDRAWN'] as const
export type QuestionStatus = (typeof QUESTION_STATUSES)[number]

export const AWAITING_ANSWER = 'AWAITING_ANSWER'

export interface CommentsTables {
  comment: {
    workspaceId: Id
    id: Id
    issueId: Id
    /** The comment that this one replies to; threads are one level deep. */
    parentId: Id | null
    authorId: Id
    /** Its token; null for imports from other trackers. */
    tokenId: Id | null
    /** ProseMirror JSON, canonical. */
    body: ColumnType<DocJson, string, string>
    bodyMarkdown: string
    /** The size of `body` as JSON text; a generated column. */
    bodyBytes: ColumnType<number, never, never>
    createdAt: Timestamp
    updatedAt: Timestamp
    deletedAt: Moment
    /** Null also where an earlier version deleted it. */
    deletedById: Id | null
    purgedAt: Moment
  }
  commentQuestion: {
    workspaceId: Id
    commentId: Id
    issueId: Id
    askedById: Id
    /** Its token; null for imports from other trackers. */
    tokenId: Id | null
    /** The session that asked; null: unnamed. */
    session: string | null
    options: ColumnType<string[], string, never>
    status: QuestionStatus
    answerId: Id | null
    /** The account that answered or withdrew it, and the time. */
    closedById: Id | null
    closedAt: Moment
    /** When a hook delivered the result to the asking agent. */
    heardAt: Moment
  }
  commentQuestionAddressee: { workspaceId: Id; commentId: Id; accountId: Id }
}

export interface CommentRef {
  id: Id
  issueId: Id
  parentId: Id | null
  authorId: Id
}

export interface EndedQuestion {
  key: string
  question: string
  by: string
  isWithdrawn: boolean
  /** Null: none, or removed. */
  answer: string | null
}
export interface AskedQuestion extends Omit<EndedQuestion, 'by'> {
  isOpen: boolean
  by: string | null
}

export interface CommentsServices {
  /** A comment, unless it or its issue was removed. @throws 403, 404 */
  find(caller: Caller, db: DatabaseHandle, id: string): Promise<CommentRef>
  /** Comments on an issue whose row the caller has locked. */
  add(caller: Actor, trx: TransactionHandle, issueId: Id, bodyMarkdown: string): Promise<Id>
  /** The stored text of a comment, if it exists and contains one of some texts. @throws 403 */
  body(
    caller: Caller,
    db: DatabaseHandle,
    id: Id,
    options: { containing: readonly string[] }
  ): Promise<DocJson | undefined>
  /** Each result once: to the session that asked or, when the caller's session `begins`, to that. @throws 403 */
  takeAnswers(caller: Actor, options: { begins: boolean }): Promise<EndedQuestion[]>
  /** The questions that were asked with these tokens, oldest first. @throws 403 */
  questionsAskedWith(caller: Caller, db: DatabaseHandle, tokenIds: readonly Id[]): Promise<AskedQuestion[]>
}

export const comments = contract<CommentsServices, CommentsTables>()('comments')

/** A field that another plugin adds to each comment and reply: in contexts, lists and answers. */
export interface CommentSection {
  name: string
  schema: TSchema
  /** A JSON expression over the row `comment` (`id`, `issue_id`), bounded by `workspaceId`. */
  json(workspaceId: WorkspaceId): RawBuilder<unknown>
}
export const commentSections = point<CommentSection>()(comments, 'sections')

export interface CommentChange {
  /** Deleted ones may be restored, until they are purged. */
  kind: 'created' | 'updated' | 'deleted' | 'restored' | 'purged'
  /** With the replies that are deleted, restored or purged with them. */
  comments: ReadonlyArray<{ id: Id; issueId: Id }>
}
/** The text of a comment that is about to change. */
export interface CommentEdit {
  id: Id
  issueId: Id
  /** The new text; the former one is still stored. */
  bodyMarkdown: string
}
/** Called in the transaction that changes the text of a comment, with its issue locked, before the change. */
export type CommentEditHandler = (caller: Actor, trx: TransactionHandle, edit: CommentEdit) => Promise<void>
export const commentEdits = point<CommentEditHandler>()(comments, 'edits')

/**
 * Called in the transaction that writes, imports, changes, deletes or restores comments, with their issues locked, or
 * that purges them. An exception rolls the change back, and is answered.
 */
export type CommentChangeHandler = (caller: Caller, trx: TransactionHandle, change: CommentChange) => Promise<void>
export const commentChanges = point<CommentChangeHandler>()(comments, 'changes')

export const commentCreated = eventType(comments, 'comment.created', {
  summary: 'A comment was written or imported.',
  data: Closed({ parentId: Nullable(IdText, { description: 'The comment that it replies to.' }) })
})
export const commentUpdated = eventType(comments, 'comment.updated', {
  summary: 'The text of a comment changed (`body`), or it was restored after its deletion (`restored`).',
  data: ChangesData
})
export const questionAsked = eventType(comments, 'question.asked', {
  subject: 'comment',
  summary: 'A comment asks a question, and its issue waits for the answer.',
  data: Closed({
    to: Type.Array(Closed({ id: IdText, fullname: Type.String() }), {
      description: 'The addressees; empty: any person.'
    }),
    options: Type.Array(Type.String())
  })
})
const askedById = IdText
export const questionAnswered = eventType(comments, 'question.answered', {
  subject: 'comment',
  summary: 'A question was answered; the answer is a comment, too.',
  data: Closed({ askedById, answerId: IdText })
})
export const questionWithdrawn = eventType(comments, 'question.withdrawn', {
  subject: 'comment',
  summary: 'A question was withdrawn, or its comment removed: it waits for an answer no longer.',
  data: Closed({ askedById })
})
export const questionEvents = [questionAsked, questionAnswered, questionWithdrawn]
export const commentDeleted = eventType(comments, 'comment.deleted', {
  summary: 'A comment was removed, by itself or with the one that it replies to.',
  data: NoData
})
