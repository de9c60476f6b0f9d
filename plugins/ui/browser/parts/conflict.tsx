import styles from './conflict.module.css'
import { Button } from './controls.tsx'

interface ConflictProps {
  /** What was changed: `issue`. */
  what: string
  /** The text that somebody else has stored. */
  theirs: string
  onKeepMine: () => void
  onTakeTheirs: () => void
}
/** Both ways out, where somebody else has saved a text since the draft of it was begun. */
export function Conflict({ what, theirs, onKeepMine, onTakeTheirs }: ConflictProps) {
  return (
    <div className={styles['conflict']} role="alert">
      <p>Somebody has changed this {what} since you began. This is what it says now:</p>
      <pre tabIndex={0}>{theirs}</pre>
      <div className={styles['buttons']}>
        <Button onClick={onKeepMine}>Keep mine</Button>
        <Button onClick={onTakeTheirs}>Take theirs</Button>
      </div>
    </div>
  )
}
