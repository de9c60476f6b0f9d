import { Type, type Static } from 'typebox'
import type { Id } from '../../../core/api/database/types.ts'
import { Closed } from '../../../core/api/schemas.ts'
import { ExternalId, Person, UNKNOWN_PERSON, When, type Batch } from '../../transfer/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { QUESTION_STATUSES, questionAsked } from '../contract.ts'
import { insertQuestion, setAnswer } from '../queries/questions.ts'
import { nameAccounts } from '../queries/transfer.ts'

export const questionFields = {
  question: Type.Optional(
    Closed(
      {
        status: Type.Enum([...QUESTION_STATUSES]),
        to: Type.Optional(Type.Array(Person, { maxItems: 100, description: 'The addressees; without: any person.' })),
        options: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })),
        closedBy: Type.Optional(Person),
        closedAt: Type.Optional(When)
      },
      { description: 'Of a comment that asks; who answered or withdrew it, and when.' }
    )
  ),
  answers: Type.Optional(
    Type.String({ ...ExternalId, description: 'The question that it answers, which stands before it.' })
  )
}
interface QuestionRecord {
  question?: Static<NonNullable<(typeof questionFields)['question']>>
  answers?: string
}

/** The account that answered or withdrew a question; undefined while it is open. */
const closerOf = ({ status, closedBy = UNKNOWN_PERSON }: NonNullable<QuestionRecord['question']>) =>
  status === 'OPEN' ? undefined : closedBy

type ImportedComments = ReadonlyMap<Id, { issueId: Id; authorId: Id; createdAt: Date }>

export async function importQuestions(
  ctx: Ctx,
  trx: Trx,
  { caller, workspaceId, items, find, people }: Batch<QuestionRecord>,
  added: ImportedComments
): Promise<void> {
  const questions = items.flatMap(({ id, record: { question } }) => {
    const comment = added.get(id)
    return question && comment ? [{ id, question, comment }] : []
  })
  const accounts = await people(questions.flatMap(({ question }) => [...(question.to ?? []), closerOf(question)]))
  const named = await nameAccounts(trx, workspaceId, [...accounts.values()])
  const events = []
  for (const { id, question, comment } of questions) {
    const { status, to = [], options = [], closedAt } = question
    const { issueId, authorId, createdAt } = comment
    const addresseeIds = [...new Set(to.map(name => accounts.get(name)!))]
    const closer = closerOf(question)
    const closed =
      closer === undefined
        ? { status }
        : { status, closedById: accounts.get(closer)!, closedAt: new Date(closedAt ?? createdAt) }
    const row = { commentId: id, issueId, askedById: authorId, tokenId: null, session: null, options, ...closed }
    await insertQuestion(trx, workspaceId, row, addresseeIds)
    const addressees = named.filter(account => addresseeIds.includes(account.id))
    events.push({ subjectId: id, parentId: issueId, data: { to: addressees, options: [...options] } })
  }
  if (events.length > 0) await ctx.emit(trx, questionAsked, caller, events)
  const answers = items.filter(({ id, record }) => record.answers !== undefined && added.has(id))
  const answered = await find(
    'comment',
    answers.map(({ record }) => record.answers)
  )
  for (const { id, record } of answers) {
    await setAnswer(trx, workspaceId, answered.get(record.answers!) ?? id, id)
  }
}
