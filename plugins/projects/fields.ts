import { Type } from 'typebox'
import { referenceField, type ReferenceField } from '../issues/contract.ts'
import { ExternalId } from '../transfer/contract.ts'

const project = referenceField({
  key: 'project',
  property: 'projectId',
  column: 'project_id',
  source: { what: 'project', table: 'project', name: 'name' },
  isTallied: true,
  views: ['list', 'full', 'context'],
  transfer: Type.Optional(ExternalId),
  argument: { create: 'Name.', update: 'Name or none.', list: 'Name.', next: 'For next.' }
})

export const fields: readonly ReferenceField[] = [
  project,
  referenceField({
    key: 'milestone',
    property: 'milestoneId',
    column: 'milestone_id',
    source: {
      what: 'milestone',
      table: 'milestone',
      name: 'name',
      isShared: true,
      owner: { field: project, column: 'project_id' }
    },
    isInContextHistory: false,
    views: ['board', 'named', 'full'],
    transfer: Type.Optional(ExternalId)
  }),
  referenceField({
    key: 'cycle',
    property: 'cycleId',
    column: 'cycle_id',
    source: {
      what: 'cycle',
      table: 'cycle',
      name: 'name',
      isShared: true,
      owner: { field: 'team', column: 'team_id' }
    },
    views: ['board', 'named', 'full', 'context'],
    transfer: Type.Optional(ExternalId),
    argument: { create: 'Name.', update: 'Name or none.', list: 'Name or none.' }
  })
]
