import type { NodeJson } from '../../../lib/rich-text/index.ts'
import type { Issue, TimelineEntry } from '../../issues/ui/contract.ts'
import type { DraftPlace } from '../../ui/browser/contract.ts'

export interface Question {
  status: 'OPEN' | 'ANSWERED' | 'WITHDRAWN'
  /** The addressees; without: any person. */
  to?: Array<{ id: string; fullname: string }>
  options?: string[]
  closedBy?: { id: string; fullname: string }
}
export interface Comment {
  id: string
  parentId: string | null
  author: { id: string; fullname: string }
  body: NodeJson
  bodyMarkdown: string
  createdAt: string
  /** The time of the last edit, if it was edited. */
  updatedAt: string
  question?: Question
}
export interface Thread extends Comment, TimelineEntry {
  replies: Comment[]
}

/** The first key elements of queries that show comments and questions, or depend on them. */
export const SHOW_COMMENTS = ['timeline', 'comment', 'context', 'issues', 'inbox']

export const pathOf = (issue: Issue): string => `/v1/issue_comments?issueId=${issue.id}`

export const placeOf = (
  { id, key }: Pick<Issue, 'id' | 'key'>,
  name: string,
  title: string,
  subjectId = id
): DraftPlace => ({
  name: `${name}.${subjectId}`,
  title: `${title} ${key}`,
  href: `/issue/${key}`
})
