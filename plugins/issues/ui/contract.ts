import type { ComponentType, ReactNode } from 'react'
import { contract, point } from '../../../core/contract.ts'
import type { NodeJson } from '../../../core/rich-text/index.ts'
import type { Found } from '../../ui/browser/contract.ts'

export { TimelineLine } from './timeline-line.tsx'

// Not that of the server's contract.ts, which brings the schemas of its events along.
const issues = contract()('issues')

export type Category = 'TRIAGE' | 'BACKLOG' | 'UNSTARTED' | 'STARTED' | 'COMPLETED' | 'CANCELED'
/** A row of a listing; what the issue has not is not in it. */
export interface Row {
  id: string
  key: string
  title: string
  stateId: string
  stateCategory: Category
  assigneeId?: string | null
  assignedAt?: string
  /** Who works on it; without `expiresAt` it does not lapse. */
  claim?: { holderId: string; expiresAt?: string }
  priority: number
  labelIds: string[]
  sortOrder: number
  updatedAt: string
  criteria?: { met: number; total: number }
  isBlocked?: true
  /** Of the plugins that are on. */
  commentCount?: number
  runStatus?: string
  awaiting?: boolean
}
export interface Issue extends Row {
  description: NodeJson | null
  descriptionMarkdown: string
  teamId: string
  parentId: string | null
  rev: number
  createdAt: string
  createdById: string
}

/** What another plugin shows beside an issue. */
export interface IssuePanel {
  title: string
  order: number
  load: () => Promise<{ default: ComponentType<{ issue: Issue }> }>
}
export const issuePanels = point<IssuePanel>()(issues, 'panels')

/** What another plugin lets people do with an issue, in the bar of its page. */
export const issueActions = point<ComponentType<{ issue: Issue }>>()(issues, 'actions')

/** Something that happened to an issue, in its one line of time. */
export interface TimelineEntry {
  id: string
  at: string
}
/** What a plugin adds to the line of time: entries, and how one looks. */
export interface TimelineSource {
  name: string
  /** What is asked for. What another part of the page asks for, too, by the same key, is asked for once. */
  query(issue: Issue): { queryKey: readonly unknown[]; queryFn(options: { signal: AbortSignal }): Promise<unknown> }
  /** @param data what the query answered */
  entries(data: unknown): TimelineEntry[]
  Entry(props: { issue: Issue; entry: TimelineEntry }): ReactNode
  /** What stands below the line of time, such as a field to write in. */
  Footer?: ComponentType<{ issue: Issue }>
}
export const timelineSources = point<TimelineSource>()(issues, 'timeline')
/** The key of the query of a source that nothing else asks for; it is asked for again as `timeline`. */
export const timelineKey = ({ id }: Issue, name: string) => ['timeline', id, name] as const

/** Issues like the title that somebody types, so that none is filed twice. */
export type FindSimilar = (title: string, signal: AbortSignal) => Promise<Found[]>
export const similarIssues = point<FindSimilar>()(issues, 'similar')

/** What can be done where there is no issue at all, beside filing the first. */
export const emptyBoardActions = point<ComponentType>()(issues, 'emptyBoardActions')
