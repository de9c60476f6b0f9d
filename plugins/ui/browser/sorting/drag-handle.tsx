import { Icon } from '../parts/icons.tsx'
import styles from './drag-handle.module.css'

/** @param isShown for a mouse, too: where the row is a field */
export const DragHandle = ({ isShown = false }: { isShown?: boolean }) => (
  <span className={styles['handle']} data-handle data-shown={isShown || undefined} aria-hidden>
    <Icon name="grip" />
  </span>
)
