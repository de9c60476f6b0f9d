import { useDrafts } from '../editor/drafts.ts'
import { useSession } from '../session/session.ts'
import styles from './drafts.module.css'

export const useOwnDrafts = () => useDrafts(useSession()?.account?.id ?? '')
export const useHasDrafts = (): boolean => useOwnDrafts().length > 0

export const DraftCount = () => <span className={styles['count']}>{useOwnDrafts().length}</span>
