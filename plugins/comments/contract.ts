import type { ColumnType, RawBuilder } from 'kysely'
import { Type, type TSchema } from 'typebox'
import { contract, point, type Actor, type Caller } from '../../core/api/contract.ts'
import type {
  DatabaseHandle,
  Id,
  Moment,
  ReadHandle,
  Timestamp,
  TransactionHandle,
  WorkspaceId
} from '../../core/api/database/types.ts'
import { ChangesData, eventType, NoData } from '../../core/api/events.ts'
import type { DocJson } from '../../lib/rich-text/index.ts'
import { Closed, IdText, Nullable } from '../../core/api/schemas.ts'

export const QUESTION_STATUSES = ['OPEN', 'ANSWERED', 'WITHDRAWN'] as const
export type QuestionStatus = (typeof QUESTION_STATUSES)[number]

/** The code of the reason why an issue with an open question is not ready. */
export const AWAITING_ANSWER = 'AWAITING_ANSWER'

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
    /** The size of `body` as JSON text; computed by the database. */
    bodyBytes: ColumnType<number, never, never>
    createdAt: Timestamp
    updatedAt: Timestamp
    deletedAt: Moment
  }
  /** A comment that is a question. */
  commentQuestion: {
    workspaceId: Id
    commentId: Id
    issueId: Id
    askedById: Id
    /** The token that it was asked with; null when it came from another tracker. */
    tokenId: Id | null
    /** The agent's session that asked; null: unnamed. */
    session: string | null
    options: ColumnType<string[], string, never>
    status: QuestionStatus
    /** The comment that answers it. */
    answerId: Id | null
    /** Who answered or withdrew it, and when. */
    closedById: Id | null
    closedAt: Moment
    /** When a hook sent the agent that asked how it ended. */
    heardAt: Moment
  }
  /** Who was asked by name. */
  commentQuestionAddressee: { workspaceId: Id; commentId: Id; accountId: Id }
}

export interface CommentRef {
  id: Id
  issueId: Id
  /** The comment that it replies to. */
  parentId: Id | null
  authorId: Id
}

/** How somebody else ended a question. */
export interface EndedQuestion {
  /** The key of its issue. */
  key: string
  /** The beginning of its text. */
  question: string
  /** Who answered or withdrew it. */
  by: string
  isWithdrawn: boolean
  /** Null: there is none, or it was removed. */
  answer: string | null
}
/** A question, open or ended. */
export interface AskedQuestion extends Omit<EndedQuestion, 'by'> {
  isOpen: boolean
  by: string | null
}

export interface CommentsServices {
  /** A comment, if neither it nor its issue was removed. @throws 403, 404 */
  find(caller: Caller, db: ReadHandle, id: string): Promise<CommentRef>
  /** Comments on an issue, whose row the caller has locked. */
  add(caller: Actor, trx: TransactionHandle, issueId: Id, bodyMarkdown: string): Promise<Id>
  /** The stored text of a comment, if it exists and contains one of some texts. @throws 403 */
  body(
    caller: Caller,
    db: DatabaseHandle,
    id: Id,
    options: { containing: readonly string[] }
  ): Promise<DocJson | undefined>
  /**
   * How others ended questions of the caller. Each is returned once: to the session that asked or, when the caller's
   * session `begins`, to that session. @throws 403
   */
  takeAnswers(caller: Actor, options: { begins: boolean }): Promise<EndedQuestion[]>
  /** The questions that were asked with these tokens, oldest first. @throws 403 */
  questionsAskedWith(caller: Caller, db: DatabaseHandle, tokenIds: readonly Id[]): Promise<AskedQuestion[]>
}

export const comments = contract<CommentsServices, CommentsTables>()('comments')

/** A field that another plugin adds to each comment, replies too: in contexts, lists and answers. */
export interface CommentSection {
  /** The field of the comment. */
  name: string
  /** What it holds, for the OpenAPI document. */
  schema: TSchema
  /**
   * A JSON expression over the row `comment` (`id`, `issue_id`), e.g. a coalesced `json_agg` subquery, bounded by
   * `workspaceId`.
   */
  json(workspaceId: WorkspaceId): RawBuilder<unknown>
}
export const commentSections = point<CommentSection>()(comments, 'sections')

export interface CommentChange {
  kind: 'created' | 'updated' | 'deleted'
  /** The comments; of one that is deleted the replies, too. */
  comments: ReadonlyArray<{ id: Id; issueId: Id }>
}
/**
 * What another plugin does in the transaction that writes, imports, changes or deletes comments; their issues are
 * locked. What it throws undoes the change, and is answered.
 */
export type CommentChangeHandler = (caller: Caller, trx: TransactionHandle, change: CommentChange) => Promise<void>
export const commentChanges = point<CommentChangeHandler>()(comments, 'changes')

export const commentCreated = eventType(comments, 'comment.created', {
  summary: 'A comment was written or imported.',
  data: Closed({ parentId: Nullable(IdText, { description: 'The comment that it replies to.' }) })
})
export const commentUpdated = eventType(comments, 'comment.updated', {
  summary: 'The text of a comment changed.',
  data: ChangesData
})
export const questionAsked = eventType(comments, 'question.asked', {
  subject: 'comment',
  summary: 'A comment asks a question, and its issue waits for the answer.',
  data: Closed({
    to: Type.Array(Closed({ id: IdText, fullname: Type.String() }), {
      description: 'Who was asked; empty: any person.'
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
