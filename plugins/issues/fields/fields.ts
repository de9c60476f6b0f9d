import { Type } from 'typebox'
import type { Contribution } from '../../../core/api/contract.ts'
import { DAY_FORMS, isDay } from '../../../lib/util/day-words.ts'
import { Day, IdText, Line, Nullable, Ref, Time } from '../../../core/api/schemas.ts'
import { Person } from '../../transfer/contract.ts'
import {
  linksField,
  referenceField,
  valueField,
  type Field,
  type NameSource,
  type Owner,
  type ReferenceField
} from './field.ts'
import { PRIORITIES, PRIORITY_NAMES } from './priorities.ts'

/* Without the description, which is converted and measured, and lists that belong to an issue, such as links. */

export const MAX_ITEMS = 100
export const issueRef = Ref('An issue’s UUID or key (`ENG-12`, any case).')
export const teamRef = Ref('A team’s UUID or identifier.')

export const accounts: NameSource = {
  what: 'member',
  table: 'account',
  name: 'fullname',
  otherName: 'email',
  words: ({ accountId }): Record<string, string> => (accountId === null ? {} : { me: accountId })
}
/** The states of all teams; those of one team come with it. */
export const states: NameSource = {
  what: 'state',
  table: 'workflow_state',
  name: 'name',
  otherName: 'category',
  isShared: true,
  isFolded: true
}

const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/
/** Without a zone it is UTC, not in the server's zone. */
function asTime(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  const time = new Date(WITHOUT_ZONE.test(value) ? `${value.replace(' ', 'T')}Z` : value)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
const asDay = (value: unknown) => (typeof value === 'string' && isDay(value) ? value : undefined)
function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
/** An unknown number stays, so that a filter by it finds nothing. */
function asPriority(value: unknown): number | undefined {
  const number = (typeof value === 'string' ? numberOfWord(PRIORITIES, value) : undefined) ?? asNumber(value)
  return number !== undefined && Number.isInteger(number) && Math.abs(number) < 32_768 ? number : undefined
}

export function numberOfWord(words: readonly string[], word: string): number | undefined {
  const number = words.indexOf(word.trim().toLowerCase())
  return number === -1 ? undefined : number
}

const time = (key: string, column: string) =>
  valueField({
    key,
    column,
    type: 'timestamptz',
    shown: Time,
    filters: [key],
    filterValues: { look: `times (ISO 8601) or days (${DAY_FORMS})`, read: asTime }
  })

const NEXT = 'For next.'

function readOnly(field: Parameters<typeof referenceField>[0]): ReferenceField {
  const { input: _, ...shown } = referenceField(field)
  return shown
}

export const transferred = {
  title: Line(1000),
  state: Type.String({ maxLength: 100, 'x-line': true, description: 'Its name.' }),
  assignee: Type.Optional(Person)
}

const stateField: ReferenceField = referenceField({
  key: 'state',
  property: 'stateId',
  column: 'state_id',
  source: 'state',
  isNullable: false,
  filters: ['state', 'status'],
  views: ['list', 'full', 'context'],
  transfer: transferred.state,
  argument: { create: 'Name; default: the first to do.', update: 'Name.', list: 'Name or category.' }
})
const assigneeField: ReferenceField = referenceField({
  key: 'assignee',
  property: 'assigneeId',
  column: 'assignee_id',
  source: accounts,
  hidesRemoved: false,
  isTallied: true,
  alsoSets: (id, at) => ({ assigned_at: id === null ? null : at }),
  views: ['list', 'full', 'context'],
  transfer: transferred.assignee,
  argument: { create: 'Name or me.', update: 'Name, me or none.', list: 'Name, me or none.' }
})

export const ownFields = {
  number: valueField({ key: 'number', type: 'int', shown: Type.Integer() }),
  title: valueField({
    key: 'title',
    type: 'text',
    input: Line(1000),
    shown: Type.String(),
    isRequired: true,
    views: ['list', 'full', 'context'],
    transfer: transferred.title
  }),
  team: referenceField({
    key: 'team',
    property: 'teamId',
    column: 'team_id',
    source: 'team',
    isNullable: false,
    input: teamRef,
    shown: IdText,
    settable: 'create',
    argument: {
      create: 'Identifier or name, if several.',
      list: 'Identifier or name.',
      next: NEXT
    }
  }),
  assignee: assigneeField,
  state: stateField,
  labels: linksField({
    key: 'labels',
    property: 'labelIds',
    table: 'issue_label',
    column: 'label_id',
    source: { what: 'label', table: 'label', name: 'name' },
    isTallied: true,
    input: Type.Array(IdText, { maxItems: MAX_ITEMS }),
    shown: Type.Array(IdText),
    add: { property: 'addLabelIds', key: 'addLabels' },
    remove: { property: 'removeLabelIds', key: 'removeLabels' },
    filters: ['label'],
    change: 'label',
    isInContextHistory: true,
    views: ['list', 'full', 'context'],
    transfer: Type.Optional(Type.Array(Line(100), { maxItems: 100, description: 'Their names.' })),
    argument: { create: 'Names.', update: 'Names; replaces all.', list: 'Names; all of them.', next: NEXT }
  }),
  priority: valueField({
    key: 'priority',
    type: 'smallint',
    input: Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      minimum: 0,
      maximum: PRIORITIES.length - 1,
      description: 'A number or its word: 0 none, 1 urgent, 2 high, 3 medium, 4 low.'
    }),
    shown: Type.Integer({ minimum: 0, maximum: 4, description: '0 none, 1 urgent, 2 high, 3 medium, 4 low.' }),
    words: PRIORITIES,
    initial: () => 0,
    word: value => PRIORITY_NAMES[Number(value)] ?? null,
    isInContextHistory: true,
    filters: ['priority'],
    filterValues: { look: 'priorities (0 to 4)', read: asPriority },
    views: ['list', 'full', 'context'],
    transfer: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 4, description: '0 none, 1 urgent, 2 high, 3 medium, 4 low.' })
    ),
    argument: { create: 'Default: none.', update: 'none clears.', list: 'Exactly.' }
  }),
  estimate: valueField({
    key: 'estimate',
    type: 'float8',
    input: Nullable(Type.Number({ minimum: 0, maximum: 1e9 })),
    shown: Nullable(Type.Number()),
    isNullable: true,
    isInContextHistory: true,
    filters: ['estimate'],
    filterValues: { look: 'numbers', read: asNumber },
    views: ['board', 'named', 'full', 'context'],
    transfer: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
    argument: { create: 'Number.', update: 'Number or none.', list: 'Exactly.' }
  }),
  dueDate: valueField({
    key: 'dueDate',
    column: 'due_date',
    type: 'date',
    input: Nullable(Day),
    shown: Nullable(Day),
    isNullable: true,
    filters: ['dueDate'],
    filterValues: { look: `days (${DAY_FORMS})`, read: asDay },
    views: ['board', 'named', 'full', 'context'],
    transfer: Type.Optional(Day),
    argument: {
      name: 'due',
      create: 'YYYY-MM-DD, +3d, friday.',
      update: 'A day or none.',
      list: 'By that day, or none.',
      listFilter: 'LTE'
    }
  }),
  sortOrder: valueField({
    key: 'sortOrder',
    column: 'sort_order',
    type: 'float8',
    input: Type.Number({ minimum: -1e15, maximum: 1e15 }),
    shown: Type.Number(),
    initial: at => at.getTime(),
    views: ['board', 'full'],
    transfer: Type.Optional(Type.Number())
  }),
  parent: referenceField({
    key: 'parent',
    property: 'parentId',
    column: 'parent_id',
    source: 'issue',
    input: Nullable(issueRef),
    shown: Nullable(IdText),
    views: ['board', 'full', 'context'],
    argument: { create: 'Key or id.', update: 'Key, id or none.' }
  }),
  createdBy: readOnly({
    key: 'createdBy',
    property: 'createdById',
    column: 'created_by_id',
    source: accounts,
    isNullable: false,
    hidesRemoved: false,
    views: ['full']
  }),
  updatedBy: readOnly({
    key: 'updatedBy',
    property: 'updatedById',
    column: 'updated_by_id',
    source: accounts,
    isNullable: false,
    filters: [],
    hidesRemoved: false,
    views: ['full']
  }),
  createdAt: time('createdAt', 'created_at'),
  updatedAt: { ...time('updatedAt', 'updated_at'), views: ['list', 'full'] as const },
  completedAt: valueField({
    key: 'completedAt',
    column: 'completed_at',
    type: 'timestamptz',
    shown: Nullable(Time),
    isNullable: true
  })
} satisfies Record<string, Field>

/** @throws Error that names the plugins when two have fields of the same name */
export function allFields(contributed: ReadonlyArray<Contribution<Field>>): readonly Field[] {
  const all = [...Object.values<Field>(ownFields).map(item => ({ from: 'issues', item })), ...contributed]
  const owners = new Map<string, string>()
  for (const { from, item } of all) {
    for (const name of new Set([item.key, item.property])) {
      const other = owners.get(name)
      if (other !== undefined) throw new Error(`${other} and ${from} both have a field of issues called ${name}`)
      owners.set(name, from)
    }
  }
  return all.map(({ item }) => item)
}

export const ownerOf = ({ source }: ReferenceField): Owner | undefined =>
  typeof source === 'string' ? undefined : source.owner

/** References to records of these owners, which an issue drops when it gets another owner. */
export const referencesOf = (
  owners: ReadonlyArray<Owner['field'] | Field>,
  fields: readonly Field[]
): ReferenceField[] =>
  fields
    .filter(field => field.kind === 'reference')
    .filter(field => owners.some(owner => owner === ownerOf(field)?.field))
