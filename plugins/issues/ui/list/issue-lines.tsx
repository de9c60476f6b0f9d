import { useState } from 'react'
import { Link } from 'wouter'
import { Button, Empty, ErrorNote, Skeleton } from '../../../ui/browser/contract.ts'
import { PER_PAGE, useDirectory, useListing, type Filters, type Order } from '../data.ts'
import { StateIcon } from '../issue/state-icon.tsx'
import { DueDate } from '../pickers/due-date.tsx'
import { Assignee, PriorityIcon } from '../symbols.tsx'
import styles from './issue-lines.module.css'

interface IssueLinesProps {
  label: string
  filters: Filters
  orderBy: Order
}
export default function IssueLines({ label, filters, orderBy }: IssueLinesProps) {
  const [shown, setShown] = useState(PER_PAGE)
  const { total, totalText, error, row } = useListing(filters, orderBy, 0, shown - 1)
  const members = useDirectory()?.members ?? []
  if (error) return <ErrorNote error={error} />
  if (total === undefined) return <Skeleton />
  if (total === 0) return <Empty title="No issues here">Choose this one in the properties of an issue.</Empty>
  const rows = Array.from({ length: Math.min(shown, total) }, (_, at) => row(at)).filter(row => row !== undefined)
  return (
    <>
      <ul className={styles['lines']} aria-label={label} data-rows>
        {rows.map(row => (
          <li key={row.id}>
            <PriorityIcon priority={row.priority} />
            <span className={styles['key']}>{row.key}</span>
            <StateIcon category={row.stateCategory} />
            <Link href={`/issue/${row.key}`}>{row.title}</Link>
            <DueDate row={row} />
            <Assignee row={row} members={members} />
          </li>
        ))}
      </ul>
      {total > shown && (
        <Button kind="quiet" onClick={() => setShown(shown + PER_PAGE)}>
          Show more of {totalText}
        </Button>
      )}
    </>
  )
}
