import { useQuery } from '@tanstack/react-query'
import { api, Empty, Kbd, useSession } from '../../ui/browser/contract.ts'
import styles from './board.module.css'

/** Where there is no issue at all: what to do first. */
export function EmptyBoard() {
  const session = useSession()
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
        {session?.account?.role === 'ADMIN' && (
          <p>
            To look around in a sample board first, run <code>npm run tracker -- demo</code> on the server: it makes a
            workspace of its own, which can be removed.
          </p>
        )}
      </Empty>
    </div>
  )
}
