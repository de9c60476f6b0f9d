import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ActivityEntry } from '../../issues/ui/contract.ts'
import { api, ErrorNote, Skeleton, Time } from '../../ui/browser/contract.ts'
import { AccountAvatar } from '../../workspace/ui/contract.ts'
import type { DifferencePart } from '../difference.ts'
import { editsOf, type Edit } from './data.ts'
import { Difference } from './difference.tsx'
import styles from './edits.module.css'

export default function Edits({ path, entry }: { path: string; entry?: ActivityEntry }) {
  const { data, error } = useQuery({
    queryKey: ['revisions', path],
    queryFn: ({ signal }) => api<{ revisions: Edit[] }>(`${path}/revisions`, { signal })
  })
  if (error) return <ErrorNote error={error} />
  if (!data) return <Skeleton />
  const edits = entry ? editsOf(data.revisions, entry) : data.revisions
  if (edits.length === 0) return <p>The former text is not stored: only the last edits of a text are kept.</p>
  return (
    <ul className={styles['edits']} aria-label="Edits">
      {edits.map((edit, n) => (
        <EditItem key={edit.n} path={path} edit={edit} isFirst={n === 0} />
      ))}
    </ul>
  )
}

function EditItem({ path, edit: { n, at, by }, isFirst }: { path: string; edit: Edit; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(isFirst)
  return (
    <li>
      <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <AccountAvatar name={by.fullname} id={by.id} />
          <strong>{by.fullname}</strong>
          <Time at={at} />
        </summary>
        {isOpen && <StoredDifference path={`${path}/revisions/${n}`} />}
      </details>
    </li>
  )
}

function StoredDifference({ path }: { path: string }) {
  const { data, error } = useQuery({
    queryKey: ['revisions', path],
    queryFn: ({ signal }) => api<{ difference: DifferencePart[] }>(path, { signal })
  })
  if (error) return <ErrorNote error={error} />
  return data ? <Difference parts={data.difference} /> : <Skeleton />
}
