import { Icon } from '../parts/icons.tsx'
import styles from './drag-handle.module.css'

/** On touch screens: drags its row with a finger. The row's menu and keys do the same. */
export const DragHandle = () => (
  <span className={styles['handle']} data-handle aria-hidden>
    <Icon name="grip" />
  </span>
)
