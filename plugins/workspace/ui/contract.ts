import type { StateCategory } from '../state-categories.ts'

export { STATE_CATEGORIES, type StateCategory } from '../state-categories.ts'

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
