import type { ComponentType } from 'react'
import { contract, point } from '../../../core/api/contract.ts'

// Not from the server's contract.ts, which would bundle the schemas of its events.
const comments = contract()('comments')

export interface EditedComment {
  id: string
  author: { fullname: string }
  /** The time of the last edit. */
  updatedAt: string
}
/** Of the plugin that keeps former texts: the mark of an edited comment. Without it, the mark is plain text. */
export const editedMarks = point<ComponentType<{ comment: EditedComment }>>()(comments, 'editedMarks')
