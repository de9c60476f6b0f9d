import { Type } from 'typebox'
import { PreferHeader } from '../../core/http-answers.ts'
import { Markdown, RawRichText } from '../../core/rich-text-field.ts'
import { STATE_CATEGORIES } from '../workspace/contract.ts'
import { Closed, IdText, Nullable, Ref, Time } from '../../core/schemas.ts'
import { MetCriteria } from '../issues/contract.ts'
import type { CommentSection } from './contract.ts'

export const tags = ['comments']
export const headers = Type.Object(PreferHeader)

const text = { body: Type.Optional(RawRichText), bodyMarkdown: Type.Optional(Markdown) }

const comment = {
  id: IdText,
  issueId: IdText,
  parentId: Nullable(IdText),
  author: Closed({ id: IdText, fullname: Type.String() }),
  body: Type.Object({}, { additionalProperties: true, description: 'ProseMirror JSON.' }),
  bodyMarkdown: Type.String(),
  createdAt: Time,
  updatedAt: Time
}
/** What a comment tells that moved its issue on or ticked criteria. */
const advanced = {
  issue: Type.Optional(
    Closed({
      key: Type.String(),
      state: Closed({ id: IdText, name: Type.String(), category: Type.Enum([...STATE_CATEGORIES]) })
    })
  ),
  unmet: Type.Optional(Type.Array(Type.String(), { description: 'The criteria that are not met.' }))
}
/** A comment as it is read, and as it is answered once it was written; with what the sections add. */
export function commentSchemas(sections: readonly CommentSection[]) {
  const added = Object.fromEntries(sections.map(({ name, schema }) => [name, schema]))
  const written = { ...comment, body: Type.Optional(comment.body), ...added }
  const description = '`body` stands in it only with `Prefer: return=representation`'
  return {
    Comment: Closed({ ...comment, ...added }),
    WrittenComment: Closed(written, { description: `${description}.` }),
    AddedComment: Closed(
      { ...written, ...advanced },
      { description: `${description}, \`issue\` and \`unmet\` after a change of the issue.` }
    )
  }
}
export const ofIssue = Closed({ issueId: Ref('An issue’s UUID or key.') })
export const NewComment = Closed({
  ...text,
  parentId: Type.Optional(
    Nullable(IdText, { description: 'The comment that it replies to; a reply to a reply joins its thread.' })
  ),
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
    Type.Enum([...STATE_CATEGORIES], {
      description: 'The category that the state must have; without a state the first of it.'
    })
  ),
  met: Type.Optional(MetCriteria),
  override: Type.Optional(
    Type.Boolean({
      description: 'Complete the issue although its team asks more of its criteria: only a person may.'
    })
  )
})
export const CommentChanges = Closed(text)
