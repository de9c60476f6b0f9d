import type { QueryClient } from '@tanstack/react-query'
import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { isLinkOrCode } from '../prose/commands.ts'
import { completers, contributions, type Completion } from '../../registry.ts'

export interface Item extends Omit<Completion, 'text'> {
  /** @param from the beginning of the typed word, which ends at the cursor */
  choose(view: EditorView, from: number): void
}
export interface ItemSource {
  /** Of the list. */
  label: string
  /** Over the text before the cursor: the word; its first group is what is looked for. */
  word: RegExp
  find(query: string, signal: AbortSignal, view: EditorView, from: number): Promise<Item[]>
}
/** The typed word, which ends at the cursor. */
export interface Word {
  source: ItemSource
  text: string
  from: number
  query: string
}

const MAX_ITEMS = 8
/** In the text of a block: code, or something else without characters. Each has the length that it has in the block. */
const OTHER = '\ufffc'

/** The word at the cursor that may be completed; of several, the one that begins nearest to it. */
export function wordAt({ selection }: EditorState, sources: readonly ItemSource[]): Word | undefined {
  const { empty, $from } = selection
  if (!empty || $from.parent.type.spec.code || $from.marks().some(isLinkOrCode)) return undefined
  const before = textBefore($from.parent, $from.parentOffset)
  if (isInCodeOrAddress(before.slice(before.lastIndexOf('\n') + 1))) return undefined
  return sources
    .flatMap(source => {
      const match = source.word.exec(before)
      return match ? [{ source, text: match[0], from: $from.pos - match[0].length, query: match[1] ?? '' }] : []
    })
    .reduce<Word | undefined>((nearest, word) => (nearest && nearest.from >= word.from ? nearest : word), undefined)
}

function textBefore(block: Node, end: number): string {
  let text = ''
  block.nodesBetween(0, end, (node, at) => {
    const length = Math.min(node.nodeSize, end - at)
    text += node.isText && !node.marks.some(isLinkOrCode) ? node.text!.slice(0, length) : OTHER.repeat(length)
  })
  return text
}

/** In code whose end is not typed yet, or in an address. */
const isInCodeOrAddress = (line: string): boolean =>
  line.split('`').length % 2 === 0 || /(?:\p{L}:\/\/|www\.)\S*$/u.test(line)

/** The completions of the parts: they replace the word by a text, and a space. */
export const contributedSources = (client: QueryClient): ItemSource[] =>
  contributions(completers).map(({ label, word, find }) => ({
    label,
    word,
    find: async (query, signal) =>
      (await find(query, signal, client)).slice(0, MAX_ITEMS).map(({ text, ...item }) => ({
        ...item,
        choose: (view, from) => replaceWord(view, from, text)
      }))
  }))

function replaceWord({ state, dispatch }: EditorView, from: number, text: string): void {
  const { $from } = state.selection
  const hasSpace = /^\s/.test($from.parent.textBetween($from.parentOffset, $from.parent.content.size, '', OTHER))
  dispatch(state.tr.insertText(hasSpace ? text : `${text} `, from, $from.pos).scrollIntoView())
}
