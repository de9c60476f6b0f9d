import { abbreviate, conflict, forbidden, invalid, notFound } from '../../../core/api/errors.ts'
import { foldLine } from '../../../core/api/text.ts'
import { newId } from '../../../core/api/database/queries.ts'
import type { Actor, Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { textOf } from '../comment.ts'
import type { Ctx, Trx } from '../context.ts'
import { questionAnswered, questionAsked, questionWithdrawn } from '../contract.ts'
import { findLocked } from '../write/lock.ts'
import { findThread } from '../queries/comments.ts'
import { addComment, type AddedComment } from '../write/write.ts'
import { closeQuestions, findQuestion, insertQuestion, listOpenInThread, type Question } from '../queries/questions.ts'

/* Questions: comments that wait for an answer. All changes of one happen while its issue's row is locked. */

interface QuestionOptions {
  to: ReadonlyArray<{ id: Id; name: string }>
  options: readonly string[]
}

/** @throws 400 when an addressee is unknown, or is the author */
export async function readQuestionOptions(
  { db, use: { issues } }: Ctx,
  principal: Principal,
  { to = [], options = [] }: { to?: readonly string[]; options?: readonly string[] }
): Promise<QuestionOptions> {
  const accounts = to.length === 0 ? [] : await issues.accounts(principal, db, to, 'question.to')
  if (accounts.some(({ id }) => id === principal.accountId)) {
    throw invalid('body.question.to names yourself: ask somebody else, or leave it out to ask any person.', {
      field: 'question.to'
    })
  }
  return { to: accounts, options }
}

export async function ask(
  ctx: Ctx,
  trx: Trx,
  caller: Actor,
  comment: AddedComment,
  { to: addressees, options }: QuestionOptions
): Promise<void> {
  const { workspaceId, accountId, tokenId, session = null } = caller
  const { id, issueId } = comment
  const question = { commentId: id, issueId, askedById: accountId, tokenId, session, options }
  await insertQuestion(
    trx,
    workspaceId,
    question,
    addressees.map(({ id }) => id)
  )
  const to = addressees.map(({ id, name: fullname }) => ({ id, fullname }))
  await ctx.emit(trx, questionAsked, caller, [
    { subjectId: id, parentId: issueId, data: { to, options: [...options] } }
  ])
}

/** An addressee's reply answers the question that it replies to, or else the last one of the thread. */
export async function answerByReply(
  ctx: Ctx,
  trx: Trx,
  caller: Principal,
  reply: AddedComment & { parentId: Id; repliesTo: Id }
): Promise<void> {
  const { workspaceId, accountId } = caller
  const open = await listOpenInThread(trx, workspaceId, accountId, { threadId: reply.parentId, id: reply.repliesTo })
  const question = open.find(({ isAsked, isForAnyPerson }) => isAsked || (isForAnyPerson && caller.kind === 'PERSON'))
  if (question) await markAnswered(ctx, trx, caller, question, reply.id)
}

/** @returns the id of the reply. @throws 400, 403, 404; 409 when it is closed */
export async function answer(
  ctx: Ctx,
  principal: Principal,
  id: Id,
  { option, ...text }: { option?: string; body?: unknown; bodyMarkdown?: string }
): Promise<Id> {
  const hasText = text.bodyMarkdown !== undefined || text.body !== undefined
  if (hasText === (option !== undefined)) {
    throw invalid('Send the answer as body.bodyMarkdown, or as body.option, one of the options of the question.', {
      field: 'bodyMarkdown'
    })
  }
  const richText = hasText ? await textOf(text) : undefined
  const replyId = newId()
  const { parentId, options } = await readQuestion(ctx, principal, id)
  const chosen = option === undefined ? undefined : await textOf({ bodyMarkdown: chosenOption(options, option) })
  await ctx.transaction(async trx => {
    const question = await lockOpen(ctx, trx, principal, id)
    if (!question.isAsked && principal.kind !== 'PERSON') {
      throw forbidden('Only an addressee or a person may answer this question: reply to it instead.')
    }
    const reply = { id: replyId, issueId: question.issueId, parentId: parentId ?? id }
    await addComment(ctx, trx, principal, { ...reply, ...(richText ?? chosen!) })
    await markAnswered(ctx, trx, principal, question, replyId)
  })
  return replyId
}

/** @throws 404; 409 when the comment is no question */
async function readQuestion({ db }: Ctx, { workspaceId, accountId }: Principal, id: Id): Promise<Question> {
  const question = await findQuestion(db, workspaceId, accountId, id)
  if (question) return question
  if (await findThread(db, workspaceId, id)) throw conflict('This comment is no question: reply to it instead.')
  throw notFound('comment', id)
}

function chosenOption(options: readonly string[], option: string): string {
  const folded = foldLine(option)
  const chosen = options.find(one => one === option.trim()) ?? options.find(one => foldLine(one) === folded)
  if (chosen !== undefined) return chosen
  const known = options.length === 0 ? 'it has none: send bodyMarkdown' : options.join(', ')
  throw invalid(`'${abbreviate(option)}' is not an option of this question; the options are: ${known}.`, {
    field: 'option',
    known: options
  })
}

/** @throws 403, 404; 409 when it is closed */
export async function withdraw(ctx: Ctx, principal: Principal, id: Id): Promise<void> {
  await readQuestion(ctx, principal, id)
  await ctx.transaction(async trx => {
    const question = await lockOpen(ctx, trx, principal, id)
    if (question.askedById !== principal.accountId && principal.kind !== 'PERSON') {
      throw forbidden('Only its author or a person may withdraw a question.')
    }
    await withdrawQuestions(ctx, trx, principal, [question.commentId])
  })
}

/** Withdraws the open questions among the comments; their issues are locked. */
export async function withdrawQuestions(ctx: Ctx, trx: Trx, caller: Actor, ids: readonly Id[]): Promise<void> {
  const { workspaceId, accountId: closedById } = caller
  const end = { status: 'WITHDRAWN', answerId: null, closedById, closedAt: ctx.now() } as const
  const closed = await closeQuestions(trx, workspaceId, ids, end)
  if (closed.length === 0) return
  await ctx.emit(
    trx,
    questionWithdrawn,
    caller,
    closed.map(({ commentId, issueId, askedById }) => ({
      subjectId: commentId,
      parentId: issueId,
      data: { askedById }
    }))
  )
}

/** The question, still open, with its issue locked until the transaction ends. @throws 404, 409 */
async function lockOpen(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<Question> {
  const { workspaceId, accountId } = principal
  const question = await findLocked(ctx, trx, principal, id, () => findQuestion(trx, workspaceId, accountId, id))
  if (question.status === 'OPEN') return question
  const what = question.status === 'ANSWERED' ? 'answered' : 'withdrawn'
  throw conflict(`The question was ${what} by ${question.closedBy}: reply to it, or ask another one.`)
}

async function markAnswered(
  ctx: Ctx,
  trx: Trx,
  caller: Actor,
  { commentId, issueId, askedById }: Question,
  answerId: Id
): Promise<void> {
  const { workspaceId, accountId: closedById } = caller
  const end = { status: 'ANSWERED', answerId, closedById, closedAt: ctx.now() } as const
  await closeQuestions(trx, workspaceId, [commentId], end)
  await ctx.emit(trx, questionAnswered, caller, [
    { subjectId: commentId, parentId: issueId, data: { askedById, answerId } }
  ])
}
