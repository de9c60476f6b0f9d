import { api } from '../../../ui/browser/contract.ts'

export interface Me {
  id: string
  fullname: string
  email: string | null
}
export const meQuery = {
  queryKey: ['people', 'me'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api<Me>('/v1/users/me', { signal })
}
export const ME_IS_IN = ['people', 'directory', 'session']
