import type { ColumnType } from 'kysely'
import { contract } from '../../core/api/contract.ts'
import type { Id, Timestamp } from '../../core/api/database/types.ts'

export type SubjectType = 'issue' | 'comment'
/** Edits that one account makes within this time are one, with the time of the first. */
export const ONE_EDIT_MS = 5 * 60_000

export interface RevisionsTables {
  textRevision: {
    workspaceId: Id
    subjectType: SubjectType
    subjectId: Id
    /** Counts the edits of the subject from 1. */
    n: number
    /** The issue, or that of the comment: it goes with it. */
    issueId: Id
    markdown: string
    bytes: ColumnType<number, never, never>
    /** For this text and all earlier ones, removed ones included. */
    totalBytes: number
    editedAt: Timestamp
    editedById: Id
  }
}
export const revisions = contract<object, RevisionsTables>()('revisions')
