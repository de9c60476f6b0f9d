import type { Completer, Completion } from '../../registry.ts'

/** A name after a colon, such as `:tada`; of two letters at least, for `:D` is a face already. */
const WORD = /(?<![^\s(["'“‘«])(:[a-z\d_+-]{2,40}:?)$/i

const rankOf = (names: readonly string[], tags: readonly string[], typed: string): number => {
  const ranks = [
    names.includes(typed),
    names.some(name => name.startsWith(typed)),
    names.some(name => name.includes(`_${typed}`)),
    tags.some(tag => tag.startsWith(typed))
  ]
  return ranks.indexOf(true)
}

/** The data are loaded with the first colon. */
export const emoji: Completer = {
  label: 'Emoji',
  word: WORD,
  async find(query) {
    const { gemoji } = await import('gemoji')
    const isEnded = query.endsWith(':')
    const typed = query.replaceAll(':', '').toLowerCase()
    return gemoji
      .map(each => ({ ...each, rank: rankOf(each.names, each.tags, typed) }))
      .filter(({ rank }) => (isEnded ? rank === 0 : rank >= 0))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ emoji, names }): Completion => ({
        id: emoji,
        title: `${emoji} ${names.find(name => name.startsWith(typed)) ?? names[0]}`,
        text: emoji
      }))
  }
}
