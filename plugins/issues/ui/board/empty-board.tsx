import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { contributions, Empty, Kbd } from '../../../ui/browser/contract.ts'
import styles from './board.module.css'
import { emptyBoardActions } from '../contract.ts'
import { emptyCheck, type Page } from '../data.ts'

export function EmptyBoard() {
  const client = useQueryClient()
  const isLoading = useIsFetching({ queryKey: ['issues'] }) > 0
  const hasCards = client
    .getQueriesData<Page>({ queryKey: ['issues'] })
    .some(([, page]) => page && page.issues.length > 0)
  // Not fetched if the columns have cards.
  const { data: isEmpty } = useQuery({ ...emptyCheck, enabled: !isLoading && !hasCards })
  if (hasCards || isEmpty !== true) return null
  return (
    <div className={styles['empty']}>
      <Empty title="No issues yet">
        <p>
          Create the first one: <Kbd keys="c" />
        </p>
        {contributions(emptyBoardActions).map((Action, at) => (
          <Action key={at} />
        ))}
      </Empty>
    </div>
  )
}
