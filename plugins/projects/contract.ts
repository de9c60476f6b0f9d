import type { Id, Moment, Timestamp } from '../../core/db/tables.ts'
import { contract } from '../../core/plugin.ts'

export interface ProjectsTables {
  project: { workspaceId: Id, id: Id, name: string, descriptionMarkdown: string, teamId: Id | null, createdById: Id, createdAt: Timestamp, updatedAt: Timestamp, deletedAt: Moment }
  cycle: { workspaceId: Id, id: Id, teamId: Id, name: string, startsAt: Timestamp, endsAt: Timestamp, createdAt: Timestamp, deletedAt: Moment }
}
export const projects = contract<object, ProjectsTables>()('projects')
