import { api } from '../../ui/browser/contract.ts'
import type { StateCategory } from '../../workspace/ui/contract.ts'

export interface Hit {
  id: string
  key: string
  title: string
  stateCategory: StateCategory
  descriptionMarkdown: string
  /** Of a completed issue: the beginning of the comment that explains how. */
  resolutionSnippet: string | null
  updatedAt: string
}
export const findHits = (text: string, limit: number, signal: AbortSignal): Promise<Hit[]> =>
  api(`/v1/search?limit=${limit}&query=${encodeURIComponent(text)}`, { signal })

/** The address of the page with all results. */
export const pageOfSearch = (text: string): string => `/search?query=${encodeURIComponent(text)}`
