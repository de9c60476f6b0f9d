import { sql, type RawBuilder, type Transaction } from 'kysely'
import {
  asShortRead,
  hasRow,
  iso,
  jsonArray,
  jsonObject,
  jsonRow,
  jsonRows
} from '../../../core/api/database/queries.ts'
import type { CoreTables, Id, Reader, WorkspaceId } from '../../../core/api/database/types.ts'
import type { IssueFilter, IssuesTables } from '../../issues/contract.ts'
import type { UnmanagedDb } from '../context.ts'
import type { AskedQuestion, CommentsTables, EndedQuestion, QuestionStatus } from '../contract.ts'

type Tables = CoreTables & IssuesTables & CommentsTables
type Db = Reader<Tables>
type Trx = Transaction<Tables>

/** Maximum open questions of a context, and maximum characters of each. */
const MAX_OPEN_QUESTIONS = 20
const MAX_QUESTION_LENGTH = 500
/** Maximum answers that an agent is sent at once, and maximum characters of each: its client accepts 10,000 in all. */
const MAX_ANSWERS = 3
const MAX_ANSWER_LENGTH = 2_000

/** Over `q`: the addressees and the options; null: none. */
const addresseesJson = (workspaceId: WorkspaceId) =>
  sql`nullif(${jsonRows(sql`
  select a.id, a.fullname from comment_question_addressee d
  join account a on a.workspace_id = d.workspace_id and a.id = d.account_id
  where d.workspace_id = ${workspaceId} and d.comment_id = q.comment_id order by a.fullname, a.id`)}::text, '[]')::json`
const options = sql`nullif(q.options::text, '[]')::json`
const accountOf = (workspaceId: WorkspaceId, column: string) =>
  jsonRow(sql`
  select a.id, a.fullname from account a where a.workspace_id = ${workspaceId} and a.id = ${sql.ref(column)}`)

/** Over a row `q` of `comment_question`: the question in its comment's answer. */
export const questionJson = (workspaceId: WorkspaceId): RawBuilder<object> =>
  sql`json_strip_nulls(${jsonObject({
    status: sql`q.status`,
    to: addresseesJson(workspaceId),
    options,
    answerId: sql`(
    select r.id from comment r
    where r.workspace_id = ${workspaceId} and r.id = q.answer_id and r.deleted_at is null)`,
    closedBy: accountOf(workspaceId, 'q.closed_by_id'),
    closedAt: iso('q.closed_at')
  })})`

/** Over the row `issue`: its open questions, oldest first. */
export const openQuestions = (workspaceId: WorkspaceId) =>
  jsonArray(sql`
  select ${jsonObject({
    id: sql`c.id`,
    author: accountOf(workspaceId, 'c.author_id'),
    createdAt: iso('c.created_at'),
    bodyMarkdown: sql`left(c.body_markdown, ${sql.lit(MAX_QUESTION_LENGTH)})`,
    to: addresseesJson(workspaceId),
    options
  })}
  from comment_question q join comment c on c.workspace_id = q.workspace_id and c.id = q.comment_id
  where q.workspace_id = ${workspaceId} and q.issue_id = issue.id and q.status = 'OPEN'
  order by c.created_at, c.id limit ${sql.lit(MAX_OPEN_QUESTIONS)}`)

/** Over the row `issue`: true if it has an open question. */
export const isAwaiting = (workspaceId: WorkspaceId) =>
  hasRow(sql`
  comment_question q where q.workspace_id = ${workspaceId} and q.issue_id = issue.id and q.status = 'OPEN'`)
export const awaitingJson = (workspaceId: WorkspaceId) => sql`case when ${isAwaiting(workspaceId)} then true end`
/** Over the row `issue`: the names of its questions' addressees. */
export const awaitedNames = (workspaceId: WorkspaceId) => sql<string>`coalesce((
  select string_agg(distinct a.fullname, ', ') from comment_question q
  join comment_question_addressee d on d.workspace_id = q.workspace_id and d.comment_id = q.comment_id
  join account a on a.workspace_id = d.workspace_id and a.id = d.account_id and a.deleted_at is null
  where q.workspace_id = ${workspaceId} and q.issue_id = issue.id and q.status = 'OPEN'), 'a person')`

/** Over `q`: it waits for one of these accounts. Without addressees, it waits for any person. */
const waitsFor = (workspaceId: WorkspaceId, accountIds: readonly Id[]) => sql`and (
  q.comment_id in (
    select d.comment_id from comment_question_addressee d
    where d.workspace_id = ${workspaceId} and d.account_id = any(${accountIds}::uuid[]))
  or q.comment_id not in (
    select d.comment_id from comment_question_addressee d where d.workspace_id = ${workspaceId})
  and exists (
    select from account a
    where a.workspace_id = ${workspaceId} and a.id = any(${accountIds}::uuid[]) and a.kind = 'PERSON'))`

export const questionFilter: IssueFilter = {
  key: 'question',
  values: 'people',
  issueIds: ({ workspaceId }, accountIds) => sql`
    select q.issue_id from comment_question q
    where q.workspace_id = ${workspaceId} and q.status = 'OPEN'
      ${accountIds ? waitsFor(workspaceId, accountIds) : sql``}`
}

interface NewQuestion {
  commentId: Id
  issueId: Id
  askedById: Id
  tokenId: Id | null
  session: string | null
  options: readonly string[]
  status?: QuestionStatus
  closedById?: Id
  closedAt?: Date
}

export async function insertQuestion(
  trx: Trx,
  workspaceId: Id,
  { options, status = 'OPEN', ...question }: NewQuestion,
  to: readonly Id[]
): Promise<void> {
  await trx
    .insertInto('commentQuestion')
    .values({ workspaceId, ...question, options: JSON.stringify(options), status })
    .execute()
  if (to.length === 0) return
  await trx
    .insertInto('commentQuestionAddressee')
    .values(to.map(accountId => ({ workspaceId, commentId: question.commentId, accountId })))
    .execute()
}

export interface Question {
  commentId: Id
  issueId: Id
  /** The first comment of its thread; null: itself. */
  parentId: Id | null
  askedById: Id
  status: QuestionStatus
  options: string[]
  isAsked: boolean
  /** True if it has no addressees (left): every person may answer. */
  isForAnyPerson: boolean
  closedBy: string | null
}

const questions = (db: Db, workspaceId: Id, accountId: Id) =>
  asShortRead(db)
    .selectFrom('commentQuestion as q')
    .innerJoin('comment as c', join => join.on('c.workspaceId', '=', workspaceId).onRef('c.id', '=', 'q.commentId'))
    .select(({ exists, not, selectFrom }) => {
      const addressees = selectFrom('commentQuestionAddressee as d')
        .select('d.accountId')
        .where('d.workspaceId', '=', workspaceId)
        .whereRef('d.commentId', '=', 'q.commentId')
      const there = addressees
        .innerJoin('account as a', join => join.on('a.workspaceId', '=', workspaceId).onRef('a.id', '=', 'd.accountId'))
        .where('a.deletedAt', 'is', null)
      return [
        'q.commentId',
        'q.issueId',
        'c.parentId',
        'q.askedById',
        'q.status',
        'q.options',
        exists(addressees.where('d.accountId', '=', accountId))
          .$castTo<boolean>()
          .as('isAsked'),
        not(exists(there)).$castTo<boolean>().as('isForAnyPerson'),
        selectFrom('account as closer')
          .select('closer.fullname')
          .where('closer.workspaceId', '=', workspaceId)
          .whereRef('closer.id', '=', 'q.closedById')
          .as('closedBy')
      ]
    })
    .where('q.workspaceId', '=', workspaceId)
    .where('c.deletedAt', 'is', null)

export const findQuestion = (db: Db, workspaceId: Id, accountId: Id, id: Id): Promise<Question | undefined> =>
  questions(db, workspaceId, accountId).where('q.commentId', '=', id).executeTakeFirst()

/** The open questions of a thread by others, the newest first; `id` before all others. */
export const listOpenInThread = (
  trx: Trx,
  workspaceId: Id,
  accountId: Id,
  { threadId, id }: { threadId: Id; id: Id }
): Promise<Question[]> =>
  questions(trx, workspaceId, accountId)
    .where(eb => eb.or([eb('c.id', '=', threadId), eb('c.parentId', '=', threadId)]))
    .where('q.status', '=', 'OPEN')
    .where('q.askedById', '<>', accountId)
    .orderBy(eb => eb('c.id', '=', id), 'desc')
    .orderBy('c.createdAt', 'desc')
    .orderBy('c.id', 'desc')
    .execute()

/** Closes the open ones of the questions. @returns these */
export const closeQuestions = (
  trx: Trx,
  workspaceId: Id,
  ids: readonly Id[],
  end: { status: Exclude<QuestionStatus, 'OPEN'>; answerId: Id | null; closedById: Id; closedAt: Date }
) =>
  trx
    .updateTable('commentQuestion')
    .set(end)
    .where('workspaceId', '=', workspaceId)
    .where('commentId', '=', sql<Id>`any(${ids}::uuid[])`)
    .where('status', '=', 'OPEN')
    .returning(['commentId', 'issueId', 'askedById'])
    .execute()

export const setAnswer = (trx: Trx, workspaceId: Id, commentId: Id, answerId: Id) =>
  trx
    .updateTable('commentQuestion')
    .set({ answerId })
    .where('workspaceId', '=', workspaceId)
    .where('commentId', '=', commentId)
    .where('status', '=', 'ANSWERED')
    .execute()

const outcomeColumns = (workspaceId: Id) => sql`
  (select t.identifier || '-' || i.number from issue i
    join team t on t.workspace_id = i.workspace_id and t.id = i.team_id
    where i.workspace_id = ${workspaceId} and i.id = q.issue_id) as key,
  (select left(c.body_markdown, ${sql.lit(MAX_QUESTION_LENGTH)}) from comment c
    where c.workspace_id = ${workspaceId} and c.id = q.comment_id) as question,
  (select a.fullname from account a where a.workspace_id = ${workspaceId} and a.id = q.closed_by_id) as by,
  q.status = 'WITHDRAWN' as "isWithdrawn",
  (select left(r.body_markdown, ${sql.lit(MAX_ANSWER_LENGTH)}) from comment r
    where r.workspace_id = ${workspaceId} and r.id = q.answer_id and r.deleted_at is null) as answer`

/** The results of an account's questions; of concurrent calls only one gets each. */
export async function takeAnswers(
  db: UnmanagedDb,
  {
    workspaceId,
    accountId,
    session,
    begins,
    at
  }: {
    workspaceId: Id
    accountId: Id
    session: string
    begins: boolean
    at: Date
  }
): Promise<EndedQuestion[]> {
  // Raw: an update of rows that a sibling query has locked, then the texts of the updated rows.
  const { rows } = await sql<EndedQuestion>`
    with due as (
      select comment_id from comment_question
      where workspace_id = ${workspaceId} and asked_by_id = ${accountId} and closed_at is not null and heard_at is null
        and closed_by_id <> asked_by_id and (session is null or session = ${session}::text or ${begins}::boolean)
      order by closed_at limit ${MAX_ANSWERS} for update skip locked),
    q as (
      update comment_question question set heard_at = ${at} from due
      where question.workspace_id = ${workspaceId} and question.comment_id = due.comment_id
      returning question.*)
    select ${outcomeColumns(workspaceId)} from q order by q.closed_at, q.comment_id`.execute(db)
  return rows
}

export async function listAskedWith(db: Db, workspaceId: Id, tokenIds: readonly Id[]): Promise<AskedQuestion[]> {
  // Raw: it selects the same texts as the statement above.
  const { rows } = await sql<AskedQuestion>`
    select q.status = 'OPEN' as "isOpen", ${outcomeColumns(workspaceId)}
    from comment_question q join comment c on c.workspace_id = q.workspace_id and c.id = q.comment_id
    where q.workspace_id = ${workspaceId} and q.token_id = any(${tokenIds}::uuid[]) order by c.created_at, c.id
    `.execute(db)
  return rows
}
