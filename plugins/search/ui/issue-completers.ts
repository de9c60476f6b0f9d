import { hasAllWords } from '../../../lib/words/fold.ts'
import { api, type Completer, type Completion, type Found } from '../../ui/browser/contract.ts'
import { directoryQuery } from '../../workspace/ui/contract.ts'

type Search = (text: string, limit: number, signal: AbortSignal) => Promise<Found[]>
type Named = Pick<Found, 'id' | 'title' | 'hint'>

/** Words of a title, a number or a key after `#`. */
const AFTER_HASH = /(?<![\p{L}\p{N}#&/])#([\p{L}\p{N}][^#\n]{0,59})$/u
/** The key of a team, with a number, or words of a title: `ENG-1`, `ENG-login`. */
const AFTER_TEAM = /(?<![\p{L}\p{N}/_-])([A-Z][A-Z\d]{0,9}-(?:\d{1,9}|\p{L}[^#\n]{0,59}))$/iu
const NUMBER = /^\d+$/

/** The search corrects words, and knows similar ones: more than will be displayed. */
const MAX_HITS = 30

const completions = (issues: readonly Named[]): Completion[] =>
  [...new Map(issues.map(issue => [issue.id, issue])).values()].map(({ id, title, hint = '' }) => ({
    id,
    title,
    hint,
    text: hint
  }))

/** The issues of all teams whose key begins with a text, or which have the number `#12`. */
async function listed(text: string, signal: AbortSignal): Promise<Named[]> {
  const filters = { text: { filterType: 'INCLUDES', value: [text] } }
  const body = { filters, view: 'list', perPage: MAX_HITS, total: 'none' }
  const { issues } = await api<{ issues: Array<{ id: string; key: string; title: string }> }>('/v1/issues/filter', {
    body,
    signal
  })
  return issues.map(({ id, key, title }) => ({ id, title, hint: key }))
}

export const makeIssueCompleters = (search: Search): Completer[] => [
  {
    label: 'Issues',
    word: AFTER_HASH,
    async find(query, signal) {
      const ofNumber = NUMBER.test(query) ? listed(`#${query}`, signal) : []
      const results = await Promise.all([ofNumber, search(query, MAX_HITS, signal)])
      return completions(results.flat().filter(({ title, hint }) => hasAllWords(`${hint} ${title}`, query)))
    }
  },
  {
    label: 'Issues',
    word: AFTER_TEAM,
    async find(query, signal, client) {
      const { teams } = await client.fetchQuery(directoryQuery)
      const length = query.indexOf('-') + 1
      const [beginning, words] = [query.slice(0, length).toUpperCase(), query.slice(length)]
      if (!teams.some(({ identifier }) => `${identifier}-` === beginning)) return []
      if (NUMBER.test(words)) return keysLike(beginning + words, search, signal)
      const results = await search(words, MAX_HITS, signal)
      return completions(results.filter(({ title, hint }) => hint?.startsWith(beginning) && hasAllWords(title, words)))
    }
  }
]

/** The issue with that key, then those whose keys begin with it. A key that nothing continues is left alone. */
async function keysLike(key: string, search: Search, signal: AbortSignal): Promise<Completion[]> {
  const [exact, others] = await Promise.all([search(key, 1, signal), listed(key, signal)])
  const matches = [...exact, ...others].filter(({ hint }) => hint?.startsWith(key))
  return matches.every(({ hint }) => hint === key) ? [] : completions(matches)
}
