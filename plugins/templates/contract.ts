import type { ColumnType } from 'kysely'
import { Type } from 'typebox'
import { contract } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { ChangesData, eventType } from '../../core/api/events.ts'
import { Closed, IdText } from '../../core/api/schemas.ts'

export interface TemplatesTables {
  issueTemplate: {
    workspaceId: Id
    id: Id
    teamId: Id
    name: string
    title: string | null
    descriptionMarkdown: string
    labelIds: Id[]
    criteria: string[]
    priority: number
    createdById: Id
    createdAt: Timestamp
    updatedAt: Timestamp
    deletedAt: Moment
    /** Null: unknown. */
    deletedById: ColumnType<Id | null, null | undefined, Id | null>
    /** For good: its texts are gone. */
    purgedAt: ColumnType<Date | null, null | undefined, Date>
  }
}
export const templates = contract<object, TemplatesTables>()('templates')

const TemplateData = Closed({ name: Type.String(), teamId: IdText })
export const templateCreated = eventType(templates, 'issue_template.created', {
  summary: 'A team got a template for issues, or it was imported.',
  data: TemplateData
})
export const templateUpdated = eventType(templates, 'issue_template.updated', {
  summary: 'A template for issues changed, or it was restored after its deletion (`restored`).',
  data: ChangesData
})
export const templateDeleted = eventType(templates, 'issue_template.deleted', {
  summary: 'A template for issues was removed: it can be restored until it is removed for good.',
  data: TemplateData
})
export const templateEvents = [templateCreated, templateUpdated, templateDeleted]
