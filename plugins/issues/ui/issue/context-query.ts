import { api, withFiles } from '../../../ui/browser/contract.ts'
import type { StateCategory } from '../../../workspace/ui/contract.ts'

export interface Context {
  parent: { key: string; title: string } | null
  subIssues: Array<{ id: string; key: string; title: string; stateCategory: StateCategory }>
  relations: Array<{ id: string; type: string; issue: { key: string; title: string; stateCategory: StateCategory } }>
  linkedIssues: Array<{ id: string; url: string; title: string }>
  definitionOfDone: {
    met: number
    total: number
    /** The criteria whose ticks have an author and evidence. */
    items?: Array<{ n: number; text: string; by: string; at: string; evidence: string | null }>
  }
  claim?: { holder: { id: string; fullname: string }; since: string; expiresAt?: string }
}
export const contextQuery = (key: string) => ({
  queryKey: ['context', key],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    withFiles(api<Context>(`/v1/issues/${key}/context`, { signal }), { type: 'issue', id: key })
})
