import type { NodeJson } from '../../../lib/rich-text/index.ts'

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
  question?: Question
}

/** The first key elements of queries that show comments and questions, or depend on them. */
export const SHOW_COMMENTS = ['timeline', 'comment', 'context', 'issues', 'inbox']
