import { useQuery } from '@tanstack/react-query'
import { api, unseenClass } from '../../ui/browser/contract.ts'
import styles from './unread.module.css'

const MAX_SHOWN = 99

export function Unread() {
  const { data } = useQuery({
    queryKey: ['inbox', 'unread'],
    queryFn: ({ signal }) => api<{ unread: number }>('/v1/inbox?limit=1&unread=true', { signal })
  })
  if (!data || data.unread === 0) return null
  return (
    <span className={styles['unread']}>
      {data.unread > MAX_SHOWN ? `${MAX_SHOWN}+` : data.unread}
      <span className={unseenClass}> unread</span>
    </span>
  )
}
