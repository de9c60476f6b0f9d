import { Button, ErrorNote, Skeleton } from '../../ui/browser/contract.ts'
import styles from './waiting.module.css'

interface WaitingProps {
  error: unknown
  lines: number
  onRetry: () => unknown
}
export const Waiting = ({ error, lines, onRetry }: WaitingProps) =>
  error ? (
    <div className={styles['failed']}>
      <ErrorNote error={error} />
      <Button onClick={() => onRetry()}>Try again</Button>
    </div>
  ) : (
    <Skeleton lines={lines} />
  )
