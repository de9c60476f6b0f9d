import { Type } from 'typebox'
import { referenceField, type ReferenceField } from '../issues/contract.ts'
import { ExternalId } from '../transfer/contract.ts'

/** The fields that this plugin adds to issues. */
export const fields: readonly ReferenceField[] = [
  referenceField({
    key: 'project',
    property: 'projectId',
    column: 'project_id',
    source: { what: 'project', table: 'project', name: 'name' },
    isTallied: true,
    views: ['list', 'full', 'context'],
    transfer: Type.Optional(ExternalId),
    argument: { create: 'Name.', update: 'Name or none.', list: 'Name.', next: 'For next.' }
  }),
  referenceField({
    key: 'cycle',
    property: 'cycleId',
    column: 'cycle_id',
    source: { what: 'cycle', table: 'cycle', name: 'name', isShared: true, owner: { field: 'team', column: 'team_id' } },
    views: ['named', 'full', 'context'],
    transfer: Type.Optional(ExternalId),
    argument: { create: 'Name.', update: 'Name or none.', list: 'Name or none.' }
  })
]
