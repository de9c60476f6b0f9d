import { Type } from 'typebox'
import { Markdown, RawRichText } from '../../core/rich-text-field.ts'
import { Closed, IdText, Nullable, Ref, Time } from '../../core/schemas.ts'
import type { CommentSection } from './contract.ts'

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
/** A comment as it is read, and as it is answered once it was written; with what the sections add. */
export function commentSchemas(sections: readonly CommentSection[]) {
  const added = Object.fromEntries(sections.map(({ name, schema }) => [name, schema]))
  return {
    Comment: Closed({ ...comment, ...added }),
    WrittenComment: Closed(
      { ...comment, body: Type.Optional(comment.body), ...added },
      { description: '`body` stands in it only with `Prefer: return=representation`.' }
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
  )
})
export const CommentChanges = Closed(text)
