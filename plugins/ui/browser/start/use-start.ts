import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { remember } from '../data/remember.ts'
import { contributions, emptyChecks, type EmptyCheck } from '../registry.ts'
import { useSession } from '../session/session.ts'

const keyOf = (accountId: string) => `tracker.started.${accountId}`
export const endStart = (accountId: string): boolean => remember(keyOf(accountId), 'yes')

const neverEmpty: EmptyCheck = { queryKey: ['never-empty'], queryFn: async () => false }

/** For administrators of an empty workspace, until they skip the steps. Undefined: not known yet. */
export function useIsStart(): boolean | undefined {
  const account = useSession()?.account
  const [check = neverEmpty] = contributions(emptyChecks)
  const isPossible = account?.role === 'ADMIN' && localStorage.getItem(keyOf(account.id)) === null
  const { data: isEmpty, isFetching } = useQuery({ ...check, enabled: isPossible })
  useEffect(() => {
    if (account && isEmpty === false) endStart(account.id)
  }, [account, isEmpty])
  if (!isPossible) return false
  return isFetching ? undefined : isEmpty === true
}
