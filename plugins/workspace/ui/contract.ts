import type { ComponentType } from 'react'
import { contract, point } from '../../../core/api/contract.ts'
import type { StateCategory } from '../state-categories.ts'

export { STATE_CATEGORIES, type StateCategory } from '../state-categories.ts'

// Not from the server's contract.ts, which would bundle the schemas of its events.
const workspace = contract()('workspace')

/** A team in the settings. */
export interface TeamSettings {
  id: string
  identifier: string
  name: string
  closing: { criteria: string }
}
/** A setting of another plugin in the line of a team. */
export const teamSettings = point<ComponentType<{ team: TeamSettings }>>()(workspace, 'teamSettings')

export const CATEGORY_NAMES: Record<StateCategory, string> = {
  TRIAGE: 'Triage',
  BACKLOG: 'Backlog',
  UNSTARTED: 'To do',
  STARTED: 'In progress',
  COMPLETED: 'Done',
  CANCELED: 'Canceled'
}

export { AccountAvatar } from './account-avatar.tsx'
export {
  directoryQuery,
  NAMES_STALE_MS,
  useDirectory,
  type Directory,
  type Member,
  type State,
  type Team
} from './directory.ts'
