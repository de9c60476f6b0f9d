import { api } from '../../ui/browser/contract.ts'
import type { StateCategory } from '../../workspace/ui/contract.ts'

export interface Hit {
  id: string
  key: string
  title: string
  stateCategory: StateCategory
  descriptionMarkdown: string
  resolutionSnippet: string | null
  updatedAt: string
}
export const findHits = (text: string, limit: number, signal: AbortSignal): Promise<Hit[]> =>
  api(`/v1/search?limit=${limit}&query=${encodeURIComponent(text)}`, { signal })

export const pageOfSearch = (text: string): string => `/search?query=${encodeURIComponent(text)}`

const MAX_EXCERPT_LENGTH = 160
/** At the beginning of a line: headings, quotes, items, tasks, fences, lines below the head of a table. */
const MARKS_OF_LINES = /^ {0,3}(?:#{1,6} |> ?|(?:[-*+]|\d+[.)]) (?:\[[ x]\] )?|```.*$|~~~.*$|[|: -]+$)/gim
/** The first words of a text, without the marks of Markdown. */
export const excerptOf = (markdown: string): string =>
  markdown
    .replaceAll(MARKS_OF_LINES, '')
    .replaceAll(/!?\[([^\][]{0,200})\]\([^()\s]{0,500}\)/g, '$1')
    .replaceAll(/\*{1,3}|[`|]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_EXCERPT_LENGTH)
