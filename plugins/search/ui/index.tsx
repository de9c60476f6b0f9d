import { similarIssues } from '../../issues/ui/contract.ts'
import { commands, completers, finders, go, pages, type Found, type Part } from '../../ui/browser/contract.ts'
import { findHits, pageOfSearch } from './data.ts'
import { makeIssueCompleters } from './issue-completers.ts'

const MAX_FOUND = 8
const MAX_SIMILAR = 4

async function search(text: string, limit: number, signal: AbortSignal): Promise<Found[]> {
  const hits = await findHits(text, limit, signal)
  return hits.map(({ id, key, title, updatedAt }) => ({
    id,
    title,
    hint: key,
    at: updatedAt,
    run: () => go(`/issue/${key}`)
  }))
}

/** Where there are more results, the last is their page. */
async function find(text: string, signal: AbortSignal): Promise<Found[]> {
  const results = await search(text, MAX_FOUND + 1, signal)
  if (results.length <= MAX_FOUND) return results
  const all: Found = { id: 'all', title: `All results for “${text}”`, run: () => go(pageOfSearch(text)) }
  return [...results.slice(0, MAX_FOUND), all]
}

const part: Part = ({ contribute }) => {
  contribute(pages, { path: '/search', title: 'Search', load: () => import('./search-page.tsx') })
  contribute(commands, {
    id: 'search',
    title: 'Search issues on a page',
    words: 'find',
    section: 'Go',
    run: () => go('/search')
  })
  contribute(completers, ...makeIssueCompleters(search))
  contribute(finders, { section: 'Issues', find })
  contribute(similarIssues, (title, signal) => search(title, MAX_SIMILAR, signal))
}
export default part
