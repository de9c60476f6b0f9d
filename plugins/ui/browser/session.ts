import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export interface Session {
  account: { id: string; fullname: string; role: 'ADMIN' | 'MEMBER' } | null
  workspace: { id: string; name: string } | null
}
export const SESSION_KEY = ['session']

/** Who is signed in; undefined until the server has answered. */
export const useSession = (): Session | undefined =>
  useQuery({ queryKey: SESSION_KEY, queryFn: () => api<Session>('/v1/session'), staleTime: Infinity }).data
