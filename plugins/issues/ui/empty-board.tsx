import { useQuery } from '@tanstack/react-query'
import { api, contributions, Empty, Kbd } from '../../ui/browser/contract.ts'
import styles from './board.module.css'
import { emptyBoardActions } from './contract.ts'

/** Where there is no issue at all: what to do first. */
export function EmptyBoard() {
  const { data } = useQuery({
    queryKey: ['issues-at-all'],
    queryFn: ({ signal }) => api<{ total: number }>('/v1/issues/filter', { body: { view: 'list', perPage: 1 }, signal })
  })
  if (data?.total !== 0) return null
  return (
    <div className={styles['empty']}>
      <Empty title="No issues yet">
        <p>
          File the first one: <Kbd keys="c" />
        </p>
        {contributions(emptyBoardActions).map((Action, at) => (
          <Action key={at} />
        ))}
      </Empty>
    </div>
  )
}
