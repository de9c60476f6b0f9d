import type { ComponentType } from 'react'
import { contract, point } from '../../../core/api/contract.ts'
import type { StateCategory } from '../state-categories.ts'

export { isClosed, STATE_CATEGORIES, type StateCategory } from '../state-categories.ts'

// Not from the server's contract.ts, which would bundle the schemas of its events.
const workspace = contract()('workspace')

export interface TeamSettings {
  id: string
  identifier: string
  name: string
  closing: { criteria: string }
}
/** A setting of another plugin in the card of a team. */
export const teamSettings = point<ComponentType<{ team: TeamSettings }>>()(workspace, 'teamSettings')

/** A page of each team, in the side bar, such as its board. */
export interface TeamPlace {
  title: string
  icon: string
  order: number
  /** @param identifier such as `ENG` */
  href(identifier: string): string
}
export const teamPlaces = point<TeamPlace>()(workspace, 'teamPlaces')

export const CATEGORY_NAMES: Record<StateCategory, string> = {
  TRIAGE: 'Triage',
  BACKLOG: 'Backlog',
  UNSTARTED: 'To do',
  STARTED: 'In progress',
  COMPLETED: 'Done',
  CANCELED: 'Canceled'
}

export { labelsQuery, useIsLabel, useLabels, type Label } from './labels/data.ts'
export { byLabelGroup, labelParts } from './labels/label-groups.ts'
export { AccountAvatar, memberOption, teamOption } from './account-avatar.tsx'
export {
  directoryQuery,
  NAMES_STALE_MS,
  sortStates,
  teamOfState,
  useDirectory,
  type Directory,
  type Member,
  type State,
  type Team
} from './directory.ts'
