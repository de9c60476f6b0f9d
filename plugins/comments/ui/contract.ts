import type { ComponentType } from 'react'
import { contract, point } from '../../../core/api/contract.ts'
import type { Issue } from '../../issues/ui/contract.ts'

// Not from the server's contract.ts, which would bundle the schemas of its events.
const comments = contract()('comments')

/** Parts of other plugins below the text of each comment. */
export const commentFooters = point<ComponentType<{ issue: Issue; comment: EditedComment }>>()(comments, 'footers')

export interface EditedComment {
  id: string
  author: { fullname: string }
  updatedAt: string
}
/** The mark of an edited comment, from the plugin that keeps former texts. Without it, the mark is plain text. */
export const editedMarks = point<ComponentType<{ comment: EditedComment }>>()(comments, 'editedMarks')
