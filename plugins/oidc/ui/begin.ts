import { api } from '../../ui/browser/contract.ts'

export const providerQuery = {
  queryKey: ['oidc'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api<{ name: string | null }>('/v1/oidc', { signal }),
  staleTime: Infinity
}

export async function beginAtProvider(options: { link?: boolean } = {}): Promise<void> {
  const body = { to: location.pathname + location.search, ...options }
  const { url } = await api<{ url: string }>('/v1/oidc/sign_in', { body })
  location.assign(url)
}
