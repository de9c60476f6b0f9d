import { cut } from '../../../lib/util/cut-text.ts'
import { hasFields } from '../../../lib/util/has-fields.ts'
import { entriesIn, timeOf, type Fields } from './changes-between.ts'

/** Texts are counted in pieces: the tokenizer's time grows with the square of a word's length. */
const PIECE_LENGTH = 256
const RESERVED_TOKENS = 60

/**
 * A context, or its changes, in at most `maxTokens` tokens (o200k_base) where the fields of the issue leave room. The
 * oldest entries of lists that grow are left out first, then items of other lists, then the end of the description;
 * `omitted` counts them, of the description its characters.
 * @param growing the names of lists that grow
 */
export async function shortened(context: Fields, maxTokens: number, growing: readonly string[]): Promise<Fields> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const room = roomFor(maxTokens - RESERVED_TOKENS, text => countTokens(text, { disallowedSpecial: new Set() }))
  const { descriptionMarkdown, omitted: before, ...fields } = context
  const { answer, lists } = withoutItems(fields)
  room.spend(JSON.stringify(answer))
  const omitted: Fields = { ...(hasFields(before) && before) }
  if (typeof descriptionMarkdown === 'string') {
    const end = room.take(descriptionMarkdown, piece => JSON.stringify(piece).slice(1, -1))
    answer['descriptionMarkdown'] = cut(descriptionMarkdown, end)
    if (end < descriptionMarkdown.length) omitted['descriptionMarkdown'] = descriptionMarkdown.length - end
  }
  const items = lists.flatMap(list => list.items.map(item => ({ list, item })))
  const [entries = [], others = []] = [true, false].map(grows =>
    items.filter(({ list }) => growing.includes(list.name) === grows)
  )
  takeItems(others, room)
  takeItems(newestFirst(entries), room)
  for (const { name, items, taken, shown } of lists) {
    shown.push(...items.filter(item => taken.has(item)))
    const missing = countWithReplies(items) - countWithReplies(shown)
    if (missing > 0) omitted[name] = Number(omitted[name] ?? 0) + missing
  }
  return { ...answer, ...(Object.keys(omitted).length > 0 && { omitted }) }
}

interface List {
  name: string
  items: readonly Fields[]
  taken: Set<Fields>
  shown: Fields[]
}

interface ItemOfList {
  list: List
  item: Fields
}

const isList = (value: unknown): value is Fields[] => Array.isArray(value) && value.some(hasFields)

/** The fields with their lists of objects empty, also those one level deeper, as in `definitionOfDone`. */
function withoutItems(fields: Fields): { answer: Fields; lists: List[] } {
  const lists: List[] = []
  const emptied = (name: string, items: readonly Fields[]): Fields[] => {
    const shown: Fields[] = []
    lists.push({ name, items, taken: new Set(), shown })
    return shown
  }
  const answer: Fields = {}
  for (const [name, value] of Object.entries(fields)) {
    if (isList(value)) answer[name] = emptied(name, value)
    else if (hasFields(value) && !Array.isArray(value)) {
      answer[name] = Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, isList(part) ? emptied(name, part) : part])
      )
    } else answer[name] = value
  }
  return { answer, lists }
}

function takeItems(items: readonly ItemOfList[], room: Room): void {
  const full = new Set<List>()
  for (const { list, item } of items) {
    if (full.has(list)) continue
    if (room.takeWhole(`${JSON.stringify(item)},`)) list.taken.add(item)
    else full.add(list)
  }
}

const repliesTo = (item: Fields): Fields[] => entriesIn(item['replies']) ?? []
const countWithReplies = (items: readonly Fields[]): number => items.length + items.flatMap(repliesTo).length
const newestFirst = (entries: ItemOfList[]): ItemOfList[] =>
  entries.toReversed().toSorted((one, other) => lastTimeOf(other.item).localeCompare(lastTimeOf(one.item)))
const lastTimeOf = (item: Fields): string => [item, ...repliesTo(item)].map(timeOf).toSorted().at(-1)!

type Room = ReturnType<typeof roomFor>
function roomFor(maxTokens: number, count: (text: string) => number) {
  let left = maxTokens
  /** Takes as many pieces of a text as have room. @returns the length of their text */
  const take = (text: string, written = (piece: string) => piece): number => {
    for (let at = 0; at < text.length; at += PIECE_LENGTH) {
      const tokens = count(written(text.slice(at, at + PIECE_LENGTH)))
      if (tokens > left) return at
      left -= tokens
    }
    return text.length
  }
  return {
    take,
    /** Takes a text that the answer has in any case. */
    spend(text: string): void {
      if (take(text) < text.length) left = 0
    },
    takeWhole(text: string): boolean {
      const before = left
      if (take(text) === text.length) return true
      left = before
      return false
    }
  }
}
