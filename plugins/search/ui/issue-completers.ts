import { hasAllWords } from '../../../lib/words/fold.ts'
import type { Completer, Completion, Found } from '../../ui/browser/contract.ts'
import { directoryQuery } from '../../workspace/ui/contract.ts'

type Search = (text: string, limit: number, signal: AbortSignal) => Promise<Found[]>

/** Words of a title, a number or a key after `#`. */
const AFTER_HASH = /(?<![\p{L}\p{N}#&/])#([\p{L}\p{N}][^#\n]{0,59})$/u
/** Words of a title after the key of a team: `ENG-login`. */
const AFTER_TEAM = /(?<![\p{L}\p{N}/_-])([A-Z][A-Z\d]{0,9}-\p{L}[^#\n]{0,59})$/iu

/** The search corrects words, and knows similar ones: more than will be displayed. */
const MAX_HITS = 30
/** Teams whose issue of a number is looked up. */
const MAX_TEAMS = 4

const completions = (found: readonly Found[]): Completion[] =>
  found.map(({ id, title, hint = '' }) => ({ id, title, hint, text: hint }))

/** They complete the keys of issues by words of their titles. A key that is complete is left alone. */
export const makeIssueCompleters = (search: Search): Completer[] => [
  {
    label: 'Issues',
    word: AFTER_HASH,
    async find(query, signal, client) {
      const isNumber = /^\d+$/.test(query)
      const teams = isNumber ? (await client.fetchQuery(directoryQuery)).teams.slice(0, MAX_TEAMS) : []
      const texts = [...teams.map(({ identifier }) => `${identifier}-${query}`), query]
      const found = (await Promise.all(texts.map(text => search(text, MAX_HITS, signal)))).flat()
      const matching = found.filter(({ title, hint }) => hasAllWords(`${hint} ${title}`, query))
      return completions([...new Map(matching.map(issue => [issue.id, issue])).values()])
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
      const found = await search(words, MAX_HITS, signal)
      return completions(found.filter(({ title, hint }) => hint?.startsWith(beginning) && hasAllWords(title, words)))
    }
  }
]
