import type { ColumnType } from 'kysely'
import { Type } from 'typebox'
import { contract, point, type SignedIn } from '../../core/api/contract.ts'
import type { DatabaseHandle, Id, Timestamp } from '../../core/api/database/types.ts'
import { ChangesData, eventType, NoData } from '../../core/api/events.ts'
import { Closed, IdText } from '../../core/api/schemas.ts'
import type { Filters } from '../../lib/filter/filters.ts'
import type { Order } from '../issues/contract.ts'

export const LAYOUTS = ['board', 'list'] as const
export type Layout = (typeof LAYOUTS)[number]
export const GROUPS = [
  ...['state', 'stateCategory', 'assignee', 'priority', 'label'],
  ...['project', 'cycle', 'parent', 'team']
] as const
export type Group = (typeof GROUPS)[number]

export interface ViewsTables {
  savedView: {
    workspaceId: Id
    id: Id
    ownerId: Id
    isShared: boolean
    name: string
    icon: string | null
    teamId: Id | null
    filters: ColumnType<Filters, string, string>
    orderBy: Order
    groupBy: Group | null
    subGroupBy: Group | null
    layout: Layout
    /** Shown properties, in order; empty: the layout's own. */
    properties: string[]
    /** Values of `groupBy`. */
    hiddenGroups: string[]
    collapsedGroups: string[]
    /** Null: all closed issues are shown. */
    closedWithinDays: number | null
    createdAt: Timestamp
    updatedAt: Timestamp
  }
  favourite: { workspaceId: Id; accountId: Id; subjectType: string; subjectId: Id; position: number }
}
export const views = contract<object, ViewsTables>()('views')

export interface FavouriteSubject {
  id: Id
  name: string
  /** Only issues have one. */
  key?: string
}
/** A type of subject that can be a favourite. */
export interface FavouriteKind {
  readonly type: string
  /** @returns the subjects that exist and that the reader may read */
  find(reader: SignedIn, db: DatabaseHandle, ids: readonly Id[]): Promise<FavouriteSubject[]>
}
export const favouriteKinds = point<FavouriteKind>()(views, 'favouriteKinds')

const ViewData = Closed({ name: Type.String(), ownerId: IdText })
const ofOwner = { audience: 'account', subject: 'view' } as const
export const viewCreated = eventType(views, 'view.created', {
  summary: 'A shared view was saved or imported.',
  data: ViewData
})
export const viewUpdated = eventType(views, 'view.updated', {
  summary: 'A shared view changed, was shared, or is its owner’s alone again.',
  data: ChangesData
})
export const viewDeleted = eventType(views, 'view.deleted', { summary: 'A shared view was removed.', data: ViewData })
export const privateViewCreated = eventType(views, 'private_view.created', {
  ...ofOwner,
  summary: 'A view of its owner alone was saved or imported.',
  data: ViewData
})
export const privateViewUpdated = eventType(views, 'private_view.updated', {
  ...ofOwner,
  summary: 'A view of its owner alone changed.',
  data: ChangesData
})
export const privateViewDeleted = eventType(views, 'private_view.deleted', {
  ...ofOwner,
  summary: 'A view of its owner alone was removed.',
  data: ViewData
})
export const favouritesUpdated = eventType(views, 'favourites.updated', {
  subject: 'account',
  audience: 'account',
  summary: 'An account has other favourites, or another order of them.',
  data: NoData
})
export const viewEvents = [
  ...[viewCreated, viewUpdated, viewDeleted],
  ...[privateViewCreated, privateViewUpdated, privateViewDeleted, favouritesUpdated]
]
