import { useQuery } from '@tanstack/react-query'
import { api } from '../data/api.ts'

export interface Session {
  account: { id: string; fullname: string; role: 'ADMIN' | 'MEMBER' } | null
  workspace: { id: string; name: string } | null
  /** The cursor of the event log, from before all other requests of the page. */
  eventCursor: string | null
}
export const SESSION_KEY = ['session']

const RETRY_MS = 3000

export function useSessionState(): { session: Session | undefined; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: () => api<Session>('/v1/session'),
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.status === 'error' && state.data === undefined ? RETRY_MS : false)
  })
  return { session: data, error }
}
export const useSession = (): Session | undefined => useSessionState().session

const EMAIL = 'tracker.email'
export const rememberedEmail = (): string => localStorage.getItem(EMAIL) ?? ''
export const rememberEmail = (email: string): void => localStorage.setItem(EMAIL, email)
