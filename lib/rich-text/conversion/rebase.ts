import { criteria, tick, type Criterion } from '../criteria/criteria.ts'
import { limits } from '../limits.ts'
import { parse, serialize } from '../write/serialize.ts'
import { mergeLines, type MergeConflict } from './merge.ts'
import { storedMarkdown, type RichText } from './stored.ts'

/** A text that replaces another one, which may have changed since its writer read it. */
export interface RebaseInput {
  mine: string
  theirs: string
  /** The text that the writer read; absent: unknown. */
  base?: string | undefined
}
/** The text to store, and the texts of the criteria that stay ticked; or the conflicts. */
export type Rebased = { text: RichText; kept: string[] } | { conflicts: MergeConflict[] }

/** The criteria's ticks by text; equal texts are distinguished by their order. */
function metByText(items: readonly Criterion[]): Map<string, boolean> {
  const counts = new Map<string, number>()
  return new Map(items.map(item => [textKey(item, counts), item.met]))
}
function textKey({ text }: Criterion, seen: Map<string, number>): string {
  const words = text.trim().replace(/\s+/g, ' ').toLowerCase()
  const n = (seen.get(words) ?? 0) + 1
  seen.set(words, n)
  return `${n} ${words}`
}

function withBoxes(markdown: string, isMet: (key: string, isMetNow: boolean) => boolean) {
  const doc = parse(markdown, limits.jsonBytes)
  const counts = new Map<string, number>()
  const changed = criteria(doc).flatMap(item => {
    const met = isMet(textKey(item, counts), item.met)
    return met === item.met ? [] : [{ ...item, met }]
  })
  if (changed.length === 0) return { markdown, changed }
  const numbersOf = (isTicked: boolean) => changed.filter(({ met }) => met === isTicked).map(({ n }) => n)
  return { markdown: serialize(tick(doc, numbersOf(true), numbersOf(false))), changed }
}

/** A text with the ticks, and with a base also the other changes, that the stored text has got meanwhile. */
export function rebase({ mine, theirs, base }: RebaseInput): Rebased {
  const stored = metByText(criteria(parse(theirs)))
  const before = base === undefined ? undefined : metByText(criteria(parse(base)))
  // A box that the writer left unchanged keeps its current state; without a base, a ticked one stays ticked.
  const own = withBoxes(mine, (key, met) => {
    const now = stored.get(key)
    if (now === undefined) return met
    if (before === undefined) return met || now
    return met === before.get(key) ? now : met
  })
  const kept = own.changed.filter(({ met }) => met).map(({ text }) => text)
  if (base === undefined || base === theirs) return { text: storedMarkdown(own.markdown), kept }
  const read = withBoxes(base, (key, met) => stored.get(key) ?? met)
  const merged = mergeLines(read.markdown, own.markdown, theirs)
  return 'conflicts' in merged ? merged : { text: storedMarkdown(merged.text), kept }
}
