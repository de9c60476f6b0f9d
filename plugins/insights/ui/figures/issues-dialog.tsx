import { Link } from 'wouter'
import { Dialog, Time } from '../../../ui/browser/contract.ts'
import type { Address } from '../address.ts'
import { groupingOf, useIssuesOf, type Group } from '../data.ts'
import { Waiting } from '../waiting.tsx'
import styles from './issues-dialog.module.css'
import { nameInTitle } from '../values/names.ts'
import { titleOfFigure } from '../values/shown-figures.ts'

interface IssuesDialogProps {
  address: Address
  /** The loaded groups: they have the name of the address's group. */
  groups: readonly Group[]
}
/** The figure stays in the address: going back from an issue leads to the list. */
export function IssuesDialog({ address, groups }: IssuesDialogProps) {
  const { by, figure, group, change } = address
  const title = figure === undefined ? '' : titleOfFigure(figure)
  const name = group === undefined ? '' : nameInTitle(groupingOf(by, group), group, groups)
  return (
    <Dialog
      title={name === '' ? title : `${title}: ${name}`}
      isOpen={figure !== undefined}
      onClose={() => change({ figure: undefined, group: undefined })}
    >
      {figure !== undefined && <List address={address} figure={figure} />}
    </Dialog>
  )
}

function List({ address: { selection, by, group }, figure }: { address: Address; figure: string }) {
  const { data, error, refetch } = useIssuesOf(selection, by, figure, group)
  if (!data) return <Waiting error={error} lines={5} onRetry={refetch} />
  return (
    <>
      <ul className={styles['list']} aria-label="Issues of the figure">
        {data.items.map(({ id, key, title, at }) => (
          <li key={id}>
            <span>{key}</span>
            <Link href={`/issue/${key}`}>{title}</Link>
            <Time at={at} />
          </li>
        ))}
      </ul>
      {data.items.length === 0 && <p>None of them is left: they were deleted, or this belongs to no issue.</p>}
      {data.hasMore && <p>The last {data.items.length} are listed.</p>}
    </>
  )
}
