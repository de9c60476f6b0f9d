import { Type } from 'typebox'
import { PreferHeader } from '../../core/api/http.ts'
import { Markdown, RawRichText } from '../../core/api/text.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'
import { Closed, IdText, Line, Nullable, previously, Ref, Time } from '../../core/api/schemas.ts'
import { Holder, metCriteria, Takeover } from '../issues/contract.ts'
import type { Ctx } from './context.ts'
import { QUESTION_STATUSES, type CommentSection } from './contract.ts'

export const tags = ['comments']
export const headers = Type.Object(PreferHeader)

const text = { body: Type.Optional(RawRichText), bodyMarkdown: Type.Optional(Markdown) }

const Who = Closed({ id: IdText, fullname: Type.String() })
const QuestionOfComment = Closed(
  {
    status: Type.Enum([...QUESTION_STATUSES]),
    to: Type.Optional(Type.Array(Who, { description: 'The addressees; without: any person.' })),
    options: Type.Optional(Type.Array(Type.String())),
    answerId: Type.Optional(Type.String({ ...IdText, description: 'The comment that answers it.' })),
    closedBy: Type.Optional(Who),
    closedAt: Type.Optional(Time)
  },
  { description: 'Of a comment that asks: whether it waits for an answer, and who answered or withdrew it.' }
)
const MAX_OPTIONS = 10
const MAX_ASKED = 20
const Option = Line(200)
const NewQuestion = Closed(
  {
    to: Type.Optional(
      Type.Array(Ref('An account’s id, name or e-mail address.'), {
        maxItems: MAX_ASKED,
        description: 'The addressees; without: any person.'
      })
    ),
    options: Type.Optional(
      Type.Array(Option, { maxItems: MAX_OPTIONS, uniqueItems: true, description: 'Answers to choose from.' })
    )
  },
  { description: 'The comment is a question: its issue is not ready until it is answered or withdrawn.' }
)

const comment = {
  id: IdText,
  issueId: IdText,
  parentId: Nullable(IdText),
  author: Who,
  body: Type.Object({}, { additionalProperties: true, description: 'ProseMirror JSON.' }),
  bodyMarkdown: Type.String(),
  createdAt: Time,
  updatedAt: Time,
  question: Type.Optional(QuestionOfComment)
}
const advanced = {
  issue: Type.Optional(
    Closed({
      key: Type.String(),
      state: Closed({ id: IdText, name: Type.String(), category: Type.Enum([...STATE_CATEGORIES]) })
    })
  ),
  unmet: Type.Optional(Type.Array(Type.String(), { description: 'The criteria that are not met.' })),
  holder: Type.Optional(Holder)
}
export function commentSchemas(sections: readonly CommentSection[]) {
  const added = Object.fromEntries(sections.map(({ name, schema }) => [name, schema]))
  const written = { ...comment, body: Type.Optional(comment.body), ...added }
  const description = '`body` stands in it only with `Prefer: return=representation`'
  return {
    Comment: Closed({ ...comment, ...added }),
    WrittenComment: Closed(written, { description: `${description}.` }),
    AddedComment: Closed(
      { ...written, ...advanced },
      { description: `${description}, \`issue\`, \`unmet\` and \`holder\` after a change of the issue.` }
    )
  }
}
export const ofComment = Closed({ id: IdText })
export const ofIssue = Closed({ issueId: Ref('An issue’s UUID or key.') })
export const Page = {
  from: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'How many of the oldest are left out.' })
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Default: all.' }))
}
const newComment = {
  ...text,
  parentId: Type.Optional(
    Nullable(IdText, { description: 'The comment that it replies to; a reply to a reply joins its thread.' })
  ),
  question: Type.Optional(NewQuestion),
  stateId: Type.Optional(
    Type.Unsafe<string>({
      ...IdText,
      description:
        'Moves the issue to this state in the same transaction: a resolution and the closing, both or neither.'
    })
  ),
  state: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The same by name or category; `stateId` wins.' })
  ),
  stateCategory: Type.Optional(
    Type.Union(
      [Type.Enum([...STATE_CATEGORIES]), Type.Array(Type.Enum([...STATE_CATEGORIES]), { minItems: 1, maxItems: 6 })],
      {
        description:
          'The category that the state must have, or several, the preferred one first; without a state the first ' +
          `of it. One of ${STATE_CATEGORIES.join(', ')}.`
      }
    )
  ),
  duplicateOf: Type.Optional(
    Type.String({
      ...Ref(''),
      description:
        'The UUID or key of an issue of which this one is a duplicate: it is closed, without a state into the first ' +
        'that is CANCELED, and the two are related, in the same transaction.'
    })
  ),
  override: Type.Optional(
    Type.Boolean({
      description: 'Complete the issue although its team asks more of its criteria: only a person may.'
    })
  )
}
export function newCommentSchema({ issues, proof }: Ctx['use']) {
  const taken: object = issues.keepsHolders ? { takeover: Takeover } : {}
  return Closed({ ...newComment, ...taken, met: Type.Optional(metCriteria(proof !== undefined)) })
}
export const CommentChanges = Closed({ ...text, previous: previously(Closed(comment), ['bodyMarkdown']) })
export const Answer = Closed({
  ...text,
  option: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'One of the question’s options, instead of a text.' })
  )
})
