import { similarIssues } from '../../issues/ui/contract.ts'
import { api, completers, finders, go, type Found, type Part } from '../../ui/browser/contract.ts'
import { makeIssueCompleters } from './issue-completers.ts'

interface Hit {
  id: string
  key: string
  title: string
  updatedAt: string
}
/** Search results for the palette, and issues similar to a title. */
const MAX_FOUND = 8
const MAX_SIMILAR = 4

async function search(text: string, limit: number, signal: AbortSignal): Promise<Found[]> {
  const hits = await api<Hit[]>(`/v1/search?limit=${limit}&query=${encodeURIComponent(text)}`, { signal })
  return hits.map(({ id, key, title, updatedAt }) => ({
    id,
    title,
    hint: key,
    at: updatedAt,
    run: () => go(`/issue/${key}`)
  }))
}

const part: Part = ({ contribute }) => {
  contribute(completers, ...makeIssueCompleters(search))
  contribute(finders, { section: 'Issues', find: (text, signal) => search(text, MAX_FOUND, signal) })
  contribute(similarIssues, (title, signal) => search(title, MAX_SIMILAR, signal))
}
export default part
