import type { ColumnType } from 'kysely'
import { Type } from 'typebox'
import { contract } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { ChangesData, eventType } from '../../core/api/events.ts'
import type { DocJson } from '../../lib/rich-text/index.ts'
import { Closed, IdText, Nullable } from '../../core/api/schemas.ts'

export interface ProjectsTables {
  project: {
    workspaceId: Id
    id: Id
    name: string
    /** Canonical ProseMirror JSON; null: an empty description. */
    description: ColumnType<DocJson | null, string | null, string | null>
    descriptionMarkdown: string
    /** The size of `description` as JSON text; a generated column. */
    descriptionBytes: ColumnType<number, never, never>
    /** Its team; null: the workspace. */
    teamId: Id | null
    createdById: Id
    createdAt: Timestamp
    updatedAt: Timestamp
    deletedAt: Moment
    /** Null: unknown. */
    deletedById: ColumnType<Id | null, null | undefined, Id | null>
    /** When it was removed for good: its texts are gone. */
    purgedAt: ColumnType<Date | null, null | undefined, Date>
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

const ProjectData = Closed({ name: Type.String(), teamId: Nullable(IdText) })
export const projectCreated = eventType(projects, 'project.created', {
  summary: 'A project was created or imported.',
  data: ProjectData
})
export const projectUpdated = eventType(projects, 'project.updated', {
  summary: 'A project changed, or it was restored after its deletion (`restored`).',
  data: ChangesData
})
export const projectDeleted = eventType(projects, 'project.deleted', {
  summary: 'A project was removed; its issues stay. It can be restored until it is removed for good.',
  data: ProjectData
})

const CycleData = Closed({ name: Type.String(), teamId: IdText })
export const cycleCreated = eventType(projects, 'cycle.created', {
  summary: 'A cycle was planned or imported.',
  data: CycleData
})
export const cycleUpdated = eventType(projects, 'cycle.updated', { summary: 'A cycle changed.', data: ChangesData })
export const cycleDeleted = eventType(projects, 'cycle.deleted', {
  summary: 'A cycle was removed; its issues stay.',
  data: CycleData
})
export const projectEvents = [projectCreated, projectUpdated, projectDeleted, cycleCreated, cycleUpdated, cycleDeleted]
