import { fold, hasAllWords } from '../../../lib/words/fold.ts'
import { MENTION_SIGN } from '../../../lib/words/mentions.ts'
import type { Completer } from '../../ui/browser/contract.ts'
import { directoryQuery } from './directory.ts'

/** A name after `@`, as it is in a mention: it may have several words. */
const WORD = new RegExp(`${MENTION_SIGN}((?:[\\p{L}\\p{N}][^@＠\\n]{0,39})?)$`, 'v')

export const people: Completer = {
  label: 'People and agents',
  word: WORD,
  async find(query, _signal, client) {
    const { members } = await client.fetchQuery(directoryQuery)
    const typed = fold(query.trimEnd())
    const isComplete = ({ fullname }: { fullname: string }) => fold(fullname) === typed
    const matches = members.filter(({ fullname }) => hasAllWords(fullname, query))
    // A complete name is a mention as it stands; after a space the sentence goes on.
    if (matches.every(isComplete) || (query !== query.trimEnd() && matches.some(isComplete))) return []
    const startsSo = ({ fullname }: { fullname: string }) => fold(fullname).startsWith(typed)
    return matches
      .toSorted((a, b) => Number(isComplete(b)) - Number(isComplete(a)) || Number(startsSo(b)) - Number(startsSo(a)))
      .map(({ id, fullname, kind }) => ({
        id,
        title: fullname,
        ...(kind === 'AGENT' && { hint: 'Agent' }),
        text: `@${fullname}`
      }))
  }
}
