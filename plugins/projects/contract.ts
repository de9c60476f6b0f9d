import type { ColumnType } from 'kysely'
import { contract } from '../../core/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/db/tables.ts'
import type { DocJson } from '../../core/rich-text/index.ts'

export interface ProjectsTables {
  project: {
    workspaceId: Id
    id: Id
    name: string
    /** ProseMirror JSON, canonical; null is an empty description. */
    description: ColumnType<DocJson | null, string | null, string | null>
    descriptionMarkdown: string
    /** Of `description`, as JSON text; made by the database. */
    descriptionBytes: ColumnType<number, never, never>
    /** The team whose objective it is; null is the workspace's. */
    teamId: Id | null
    createdById: Id
    createdAt: Timestamp
    updatedAt: Timestamp
    deletedAt: Moment
  }
  cycle: {
    workspaceId: Id
    id: Id
    teamId: Id
    name: string
    startsAt: Timestamp
    endsAt: Timestamp
    createdAt: Timestamp
    deletedAt: Moment
  }
}
export const projects = contract<object, ProjectsTables>()('projects')
