import type { QueryClient } from '@tanstack/react-query'
import { completers, contributions, type Completion } from '../../registry.ts'

/** `F`: the field in which it is typed. */
export interface Item<F> extends Omit<Completion, 'text'> {
  choose(field: F, from: number): void
}
export interface ItemSource<F> {
  label: string
  /** Matches the word at the end of the text before the cursor; its first group is the query. */
  word: RegExp
  find(query: string, signal: AbortSignal, field: F, from: number): Promise<Item<F>[]>
}
export interface Word<F> {
  source: ItemSource<F>
  text: string
  from: number
  query: string
}

const MAX_ITEMS = 8

/** The word that begins nearest to the cursor wins. */
export function wordAt<F>(before: string, cursor: number, sources: readonly ItemSource<F>[]): Word<F> | undefined {
  if (isInCodeOrAddress(before.slice(before.lastIndexOf('\n') + 1))) return undefined
  return sources
    .flatMap(source => {
      const match = source.word.exec(before)
      return match ? [{ source, text: match[0], from: cursor - match[0].length, query: match[1] ?? '' }] : []
    })
    .reduce<Word<F> | undefined>((nearest, word) => (nearest && nearest.from >= word.from ? nearest : word), undefined)
}

const isInCodeOrAddress = (line: string): boolean =>
  line.split('`').length % 2 === 0 || /\p{L}:\/\/|www\./u.test(line.split(/\s/).at(-1)!)

/** @param replace puts a text, and a space, in the place of the word */
export const contributedSources = <F>(
  client: QueryClient,
  replace: (field: F, from: number, text: string) => void
): ItemSource<F>[] =>
  contributions(completers).map(({ label, word, find }) => ({
    label,
    word,
    find: async (query, signal) =>
      (await find(query, signal, client)).slice(0, MAX_ITEMS).map(({ text, ...item }) => ({
        ...item,
        choose: (field, from) => replace(field, from, text)
      }))
  }))
