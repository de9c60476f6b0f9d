import { api } from '../../../ui/browser/contract.ts'

/** The signed-in person, as `GET /v1/users/me` answers. */
export interface Me {
  id: string
  fullname: string
  email: string | null
}
export const meQuery = {
  queryKey: ['people', 'me'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api<Me>('/v1/users/me', { signal })
}
/** The queries that show that person's name. */
export const ME_IS_IN = ['people', 'directory', 'session']
