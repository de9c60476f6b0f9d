import type { NodeJson } from '../../../../lib/rich-text/index.ts'
import type { StateCategory } from '../../../workspace/ui/contract.ts'

export const MAX_TITLE_LENGTH = 1000
/** Cuts between characters: half of a surrogate pair would be refused. */
export const cutTitle = (title: string, length = MAX_TITLE_LENGTH): string => [...title].slice(0, length).join('')

/** A row of a listing, without empty fields. */
export interface Row {
  id: string
  key: string
  title: string
  stateId: string
  stateCategory: StateCategory
  assigneeId?: string | null
  assignedAt?: string
  priority: number
  labelIds: string[]
  sortOrder: number
  updatedAt: string
  rev: number
  dueDate?: string | null
  estimate?: number | null
  parentId?: string | null
  criteria?: { met: number; total: number }
  isBlocked?: true
  // Fields of plugins.
  projectId?: string | null
  milestoneId?: string | null
  cycleId?: string | null
  claim?: { holderId: string; expiresAt?: string }
  commentCount?: number
  runStatus?: string
  awaiting?: boolean
}

export interface Issue extends Row {
  description: NodeJson | null
  descriptionMarkdown: string
  teamId: string
  parentId: string | null
  dueDate: string | null
  estimate: number | null
  createdAt: string
  createdById: string
}

export interface FieldChange {
  title?: string
  stateId?: string
  priority?: number
  assigneeId?: string | null
  sortOrder?: number
  estimate?: number | null
  dueDate?: string | null
  parentId?: string | null
  projectId?: string | null
  milestoneId?: string | null
  cycleId?: string | null
  teamId?: string
  addLabelIds?: string[]
  removeLabelIds?: string[]
}

/** An issue with a change that the server has not answered yet. */
export function changedRow<T extends Row>(row: T, change: FieldChange): T {
  const { addLabelIds = [], removeLabelIds = [], ...fields } = change
  const others = row.labelIds.filter(id => !removeLabelIds.includes(id) && !addLabelIds.includes(id))
  return { ...row, ...fields, labelIds: [...others, ...addLabelIds] }
}
