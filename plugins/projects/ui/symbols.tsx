import { HEALTH_NAMES, type Health } from './data.ts'
import styles from './symbols.module.css'

/** A dot in the colour of a health. */
export const HealthDot = ({ health }: { health: Health }) => <i className={styles['dot']} data-health={health} />

/** The dot, with its words. */
export const HealthMark = ({ health }: { health: Health }) => (
  <span className={styles['health']}>
    <HealthDot health={health} />
    {HEALTH_NAMES[health]}
  </span>
)
