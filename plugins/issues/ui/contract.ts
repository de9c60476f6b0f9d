import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import type { Filters } from '../../../lib/filter/filters.ts'
import { contract, point } from '../../../core/api/contract.ts'
import type { Found, OpenPicker } from '../../ui/browser/contract.ts'
import type { Directory } from '../../workspace/ui/contract.ts'
import type { FilterProperty } from './filters/properties/property.ts'
import type { Grouping } from './display/grouping.ts'
import type { Filling } from './create/filling.ts'
import type { FieldChange, Issue, Row } from './list/row.ts'

export { useIssueRequest } from './changes/send.ts'
export { useChange } from './changes/use-change.ts'
export { contextQuery } from './issue/context-query.ts'
export { Property, PickerProperty } from './issue/properties/property.tsx'
export { StateIcon } from './issue/state-icon.tsx'
export { accountOptions } from './filters/properties/account-options.tsx'
export type { FilterOption, FilterProperty } from './filters/properties/property.ts'
export { groupsOfReference, type Grouping } from './display/grouping.ts'
export type { FieldChange, Issue, Row } from './list/row.ts'
export type { Filling } from './create/filling.ts'
export { openCreate } from './create/open.ts'
export { LabelsChoice } from './pickers/labels-choice.tsx'
export { priorityOptions } from './symbols.tsx'
export { sharedValue } from './pickers/shared-value.ts'
/** The issues of a listing inside of another page: for `lazyElement`. */
export const loadIssueLines = () => import('./list/issue-lines.tsx')
export { TimelineLine } from './issue/timeline/timeline-line.tsx'

// Not from the server's contract.ts, which would bundle the schemas of its events.
const issues = contract()('issues')

/** Another plugin's panel beside an issue. */
export interface IssuePanel {
  title: string
  order: number
  load: () => Promise<{ default: ComponentType<{ issue: Issue }> }>
}
export const issuePanels = point<IssuePanel>()(issues, 'panels')

/** Another plugin's property of an issue, among the others: a `PickerProperty`. */
export const issueProperties = point<ComponentType<{ issue: Issue }>>()(issues, 'properties')

export interface FieldPickerProps extends OpenPicker {
  label: string
  rows: readonly Row[]
  directory: Directory
  /** @param of the change of each issue */
  onChange: (of: (row: Row) => FieldChange) => void
}
/** A property that is changed in listings, of the selected issues or of the one at the cursor. */
export interface ListingField {
  name: string
  label: string
  order: number
  key?: string
  /** Other words by which the palette finds it. */
  words?: string
  Picker: ComponentType<FieldPickerProps>
}
/** The properties of other plugins. */
export const listingFields = point<ListingField>()(issues, 'listingFields')

/** Returns the fields of another plugin that a duplicate of an issue keeps. */
export type CopyFields = (issue: Issue, client: QueryClient) => Promise<FieldChange>
export const copiedFields = point<CopyFields>()(issues, 'copiedFields')

/** A notice of another plugin above the description of an issue. */
export const issueBanners = point<ComponentType<{ issue: Issue }>>()(issues, 'banners')

/** A section of another plugin below the description of an issue. */
export const issueSections = point<ComponentType<{ issue: Issue }>>()(issues, 'sections')

/** Another plugin's action in the bar of an issue's page. */
export const issueActions = point<ComponentType<{ issue: Issue }>>()(issues, 'actions')

export interface TimelineEntry {
  id: string
  at: string
}
/** A plugin's entries of the timeline, and their component, which may be loaded when it is first displayed. */
export interface TimelineSource {
  name: string
  /** The query. Queries with the same key in other parts of the page are sent once. */
  query(issue: Issue): { queryKey: readonly unknown[]; queryFn(options: { signal: AbortSignal }): Promise<unknown> }
  entries(data: unknown): TimelineEntry[]
  Entry(props: { issue: Issue; entry: TimelineEntry }): ReactNode
  /** A component beside the newest entry, such as a text field. */
  Footer?: ComponentType<{ issue: Issue }>
}
export const timelineSources = point<TimelineSource>()(issues, 'timeline')
/** The key of a query that only this source uses; it is refetched with `timeline`. */
export const timelineKey = ({ id }: Issue, name: string) => ['timeline', id, name] as const

export interface ActivityChange {
  change: string
  from: string | null
  to: string | null
}
/** Changes that one account made one after the other. */
export interface ActivityEntry {
  at: string
  /** The time of the first change, where there are several. */
  since?: string
  actor: { id: string; fullname: string }
  changes: ActivityChange[]
}
/** Shows how an entry of the activity changed the description; from the plugin that stores former texts. */
export const descriptionEdits = point<ComponentType<{ issue: Issue; entry: ActivityEntry }>>()(
  issues,
  'descriptionEdits'
)

/** Issues similar to a typed title, to avoid duplicates. */
export type FindSimilar = (title: string, signal: AbortSignal) => Promise<Found[]>
export const similarIssues = point<FindSimilar>()(issues, 'similar')

/** In the form of a new issue: a plugin's way to fill it. */
export const createFillings = point<ComponentType<{ teamId: string; onFill: (filling: Filling) => void }>>()(
  issues,
  'createFillings'
)

/** An action on a board without issues, in addition to creating the first. */
export const emptyBoardActions = point<ComponentType>()(issues, 'emptyBoardActions')

/** Loads the keys of filters that a plugin adds, once they are displayed. */
export const filterProperties = point<() => Promise<{ default: readonly FilterProperty[] }>>()(
  issues,
  'filterProperties'
)

/** A grouping by a property of another plugin. */
export const groupings = point<Grouping>()(issues, 'groupings')

export type Layout = 'board' | 'list'
export type Order = 'updatedAt' | 'createdAt' | 'number' | 'urgency' | 'sortOrder'
/** How a listing is displayed, with the names that views have for it. */
export interface Display {
  orderBy: Order
  groupBy: string | null
  subGroupBy: string | null
  /** Empty: all. */
  properties: readonly string[]
  /** Ids of groups. */
  hiddenGroups: readonly string[]
  collapsedGroups: readonly string[]
  /** Null: all closed issues are displayed. */
  closedWithinDays: number | null
}
/** A listing that is stored under a name. */
export interface SavedListing {
  name: string
  layout: Layout
  filters: Filters
  /** Null: of all teams. */
  teamId: string | null
  display: Display
}
export interface Listing extends Omit<SavedListing, 'name'> {
  /** True if the address has filters or a display of its own. */
  isChanged: boolean
  /** Shows it as it is stored, or as usual. @param layout the one that is stored now */
  reset(layout?: Layout): void
}
/** Stored listings, which the parameter `view` of an address names; from the plugin that stores them. */
export interface SavedListings {
  /** A hook. */
  useSaved(params: URLSearchParams): SavedListing | 'loading' | 'missing' | undefined
  /** The name of the stored listing, with its actions: the heading of its page. */
  Heading: ComponentType
  /** Stores the displayed listing as a new one: in the bar of the page. */
  Actions: ComponentType<{ listing: Listing }>
  /** The changes to the stored listing, with buttons to store or discard them: below the bar. */
  Changes: ComponentType<{ listing: Listing }>
}
export const savedListings = point<SavedListings>()(issues, 'savedListings')
