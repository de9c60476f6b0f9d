import type { ColumnType } from 'kysely'
import { Type } from 'typebox'
import { contract } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { ChangesData, eventType } from '../../core/api/events.ts'
import type { DocJson } from '../../lib/rich-text/index.ts'
import { Closed, IdText, Nullable } from '../../core/api/schemas.ts'
import type { CarryOver, CarryOverRule, StartDay } from './cycles/spans.ts'
import { HEALTHS, type Health, type ProjectState } from './states.ts'

export interface ProjectsTables {
  project: {
    workspaceId: Id
    id: Id
    name: string
    /** Canonical ProseMirror JSON; null: empty. */
    description: ColumnType<DocJson | null, string | null, string | null>
    descriptionMarkdown: string
    /** The size of `description` as JSON text; a generated column. */
    descriptionBytes: ColumnType<number, never, never>
    teamId: Id | null
    state: ColumnType<ProjectState, ProjectState | undefined, ProjectState>
    leadId: Id | null
    memberIds: ColumnType<Id[], Id[] | undefined, Id[]>
    /** `YYYY-MM-DD`, as `targetOn`. */
    startsOn: string | null
    /** When it is to be completed. */
    targetOn: string | null
    createdById: Id
    createdAt: Timestamp
    updatedAt: Timestamp
    deletedAt: Moment
    /** Null: unknown. */
    deletedById: ColumnType<Id | null, null | undefined, Id | null>
    /** For good: its texts are gone. */
    purgedAt: ColumnType<Date | null, null | undefined, Date>
  }
  milestone: {
    workspaceId: Id
    id: Id
    projectId: Id
    name: string
    /** `YYYY-MM-DD` */
    date: string | null
    createdAt: Timestamp
    /** The same time as its project's, if both were removed together. */
    deletedAt: Moment
  }
  projectUpdate: {
    workspaceId: Id
    id: Id
    projectId: Id
    health: Health
    body: ColumnType<DocJson | null, string | null, string | null>
    bodyMarkdown: string
    createdById: Id
    createdAt: Timestamp
    updatedAt: Timestamp
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
    closedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
    /** Null: it is not closed. */
    carryOver: ColumnType<CarryOver | null, CarryOver | null | undefined, CarryOver>
    /** Created by its team's rule; for a removed cycle: by the rule that is still valid. */
    isRepeated: ColumnType<boolean, boolean | undefined, boolean>
  }
  cycleRule: {
    workspaceId: Id
    teamId: Id
    weeks: number
    startDay: StartDay
    carryOver: CarryOverRule
    /** The account in whose name cycles are created and closed. */
    setById: Id
    setAt: Timestamp
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
export const cycleUpdated = eventType(projects, 'cycle.updated', {
  summary: 'A cycle changed, or was closed.',
  data: ChangesData
})
export const cycleDeleted = eventType(projects, 'cycle.deleted', {
  summary: 'A cycle was removed; its issues stay.',
  data: CycleData
})

const MilestoneData = Closed({ name: Type.String(), projectId: IdText })
export const milestoneCreated = eventType(projects, 'milestone.created', {
  summary: 'A project got a milestone, or it was imported.',
  data: MilestoneData
})
export const milestoneUpdated = eventType(projects, 'milestone.updated', {
  summary: 'A milestone changed.',
  data: ChangesData
})
export const milestoneDeleted = eventType(projects, 'milestone.deleted', {
  summary: 'A milestone was removed; its issues stay.',
  data: MilestoneData
})

const UpdateData = Closed({ projectId: IdText, health: Type.Enum([...HEALTHS]) })
export const updatePosted = eventType(projects, 'project_update.created', {
  summary: 'An update says how a project stands, or it was imported.',
  data: UpdateData
})
export const updateChanged = eventType(projects, 'project_update.updated', {
  summary: 'An update of a project was edited.',
  data: ChangesData
})
export const updateRemoved = eventType(projects, 'project_update.deleted', {
  summary: 'An update of a project was removed.',
  data: UpdateData
})
export const projectEvents = [
  ...[projectCreated, projectUpdated, projectDeleted, cycleCreated, cycleUpdated, cycleDeleted],
  ...[milestoneCreated, milestoneUpdated, milestoneDeleted, updatePosted, updateChanged, updateRemoved]
]
