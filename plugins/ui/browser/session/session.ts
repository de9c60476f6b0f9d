import { useQuery } from '@tanstack/react-query'
import { api } from '../data/api.ts'
import { remember } from '../data/remember.ts'

export interface Session {
  account: { id: string; fullname: string; role: 'ADMIN' | 'MEMBER' } | null
  workspace: { id: string; name: string } | null
  /** The cursor of the event log, from before all other requests of the page. */
  eventCursor: string | null
}
export const SESSION_KEY = ['session']

const RETRY_MS = 3000

/** The account whose data the page has. */
let accountId: string | undefined

async function readSession(): Promise<Session> {
  const session = await api<Session>('/v1/session')
  const id = session.account?.id
  accountId ??= id
  if (id === undefined || id === accountId) return session
  // Somebody else has signed in, here or in another tab, and must not see that data.
  location.reload()
  return new Promise(() => undefined)
}

export function useSessionState(): { session: Session | undefined; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: readSession,
    staleTime: Infinity,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.status === 'error' && state.data === undefined ? RETRY_MS : false)
  })
  return { session: data, error }
}
export const useSession = (): Session | undefined => useSessionState().session

const EMAIL = 'tracker.email'
export const rememberedEmail = (): string => localStorage.getItem(EMAIL) ?? ''
export const rememberEmail = (email: string): boolean => remember(EMAIL, email)
