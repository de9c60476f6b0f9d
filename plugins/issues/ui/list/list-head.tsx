import { Resizer } from '../../../ui/browser/contract.ts'
import type { Column } from './columns.ts'
import styles from './list.module.css'

/** Not for screen readers, which have each value in the name of a row. */
export function ListHead({ columns }: { columns: readonly Column[] }) {
  const head = (column: Column) => (
    <span key={column.id} className={styles['name']} data-property={column.id}>
      <span aria-hidden title={column.title}>
        {column.title}
      </span>
      <Resizer
        {...{ label: `Width of the column ${column.title}`, width: column.width, widths: column.widths }}
        edge={column.id === 'key' ? 'end' : 'start'}
        onResize={width => column.resize(width)}
      />
    </span>
  )
  const [key, ...others] = columns
  return (
    <div className={styles['head']}>
      <span className={styles['gap']} />
      <span data-property="priority" />
      {key && head(key)}
      <span data-property="state" />
      <span className={styles['title']} aria-hidden>
        Title
      </span>
      {others.map(head)}
    </div>
  )
}
