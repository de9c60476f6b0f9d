import { CATEGORY_NAMES, type StateCategory } from '../../../workspace/ui/contract.ts'
import styles from './state-icon.module.css'

/** Each category has a shape and a name, not only a colour. */
export function StateIcon({ category }: { category: StateCategory }) {
  return (
    <svg
      className={styles['state']}
      data-category={category}
      width="14"
      height="14"
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      role="img"
      aria-label={CATEGORY_NAMES[category]}
    >
      <circle cx="7" cy="7" r="5.7" strokeDasharray={category === 'BACKLOG' ? '1.8 1.8' : undefined} />
      {category === 'STARTED' && <path d="M7 7V3.600a3.400 3.400 0 0 1 0 6.800z" fill="currentColor" stroke="none" />}
      {category === 'COMPLETED' && <path d="M4.500 7.200l1.800 1.800 3.300-3.600" />}
      {category === 'CANCELED' && <path d="M5 5l4 4M9 5l-4 4" />}
    </svg>
  )
}
