import type { ComponentType } from 'react'
import { contract, point } from '../../../core/contract.ts'
import type { NodeJson } from '../../../core/rich-text/index.ts'
import type { Found } from '../../ui/browser/contract.ts'

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

/** Something that happened to an issue, in its one line of time. */
export interface TimelineEntry {
  id: string
  at: string
}
/** What a plugin adds to the line of time: entries, and how one looks. */
export interface TimelineSource<E extends TimelineEntry = TimelineEntry> {
  /** The first word of the keys of its queries, by which they are asked for again. */
  name: string
  load(issue: Issue, signal: AbortSignal): Promise<E[]>
  Entry: ComponentType<{ issue: Issue; entry: E }>
  /** What stands below the line of time, such as a field to write in. */
  Footer?: ComponentType<{ issue: Issue }>
}
export const timelineSources = point<TimelineSource>()(issues, 'timeline')

/** Issues like the title that somebody types, so that none is filed twice. */
export type FindSimilar = (title: string, signal: AbortSignal) => Promise<Found[]>
export const similarIssues = point<FindSimilar>()(issues, 'similar')

/** What can be done where there is no issue at all, beside filing the first. */
export const emptyBoardActions = point<ComponentType>()(issues, 'emptyBoardActions')
