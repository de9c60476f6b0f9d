import { HEALTH_NAMES, type Health } from './data.ts'
import styles from './symbols.module.css'

export const HealthDot = ({ health }: { health: Health }) => <i className={styles['dot']} data-health={health} />

export const HealthMark = ({ health }: { health: Health }) => (
  <span className={styles['health']}>
    <HealthDot health={health} />
    {HEALTH_NAMES[health]}
  </span>
)
