import styles from './conflict.module.css'
import { Button } from './controls.tsx'

interface ConflictProps {
  what: string
  theirs: string
  onKeepMine: () => void
  onTakeTheirs: () => void
}
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
