import { Link } from 'wouter'
import type { Issue } from '../../issues/ui/contract.ts'
import { ErrorNote, Skeleton } from '../../ui/browser/contract.ts'
import { KIND_NAMES, useWorth } from './data.ts'
import styles from './knowledge.module.css'

export default function WorthPanel({ issue }: { issue: Issue }) {
  const { data, error } = useWorth(issue.id)
  if (error) return <ErrorNote error={error} />
  if (!data) return <Skeleton />
  if (data.entries.length + data.solved.length === 0) return <p className={styles['none']}>No entries yet.</p>
  return (
    <ul className={styles['worth']}>
      {data.entries.map(({ id, kind, content, status }) => (
        <li key={id}>
          <Link href={`/knowledge/${id}`}>
            <strong>
              {KIND_NAMES[kind]}
              {status && ', disputed'}
            </strong>{' '}
            {content}
          </Link>
        </li>
      ))}
      {data.solved.map(({ key, title, resolution }) => (
        <li key={key}>
          <Link href={`/issue/${key}`}>
            <strong>{key}</strong> {title}: {resolution}
          </Link>
        </li>
      ))}
    </ul>
  )
}
