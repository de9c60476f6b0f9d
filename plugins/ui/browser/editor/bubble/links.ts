import type { Mark } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { checkAddress, markdownIt } from '../../../../../lib/rich-text/read/markdown-it.ts'
import { schema } from '../../../../../lib/rich-text/schema.ts'

const { link } = schema.marks

interface LinkRange {
  from: number
  to: number
  mark: Mark
}
export function linkAt({ selection: { $from } }: EditorState): LinkRange | undefined {
  const mark = link.isInSet($from.marks())
  if (!mark) return undefined
  const { parent } = $from
  const isSame = (at: number) => at >= 0 && at < parent.childCount && mark.isInSet(parent.child(at).marks)
  let first = $from.index()
  if (!isSame(first)) first--
  let after = first + 1
  while (isSame(first - 1)) first--
  while (isSame(after)) after++
  const positionOf = (at: number) =>
    $from.start() + parent.children.slice(0, at).reduce((size, { nodeSize }) => size + nodeSize, 0)
  return { from: positionOf(first), to: positionOf(after), mark }
}

/** The place that a link is for: the selection, or the link around the cursor. */
export function linkPlace(state: EditorState): Omit<LinkRange, 'mark'> & { href: string } {
  const { from, to, empty } = state.selection
  const around = linkAt(state)
  if (empty && around) return { from: around.from, to: around.to, href: String(around.mark.attrs['href']) }
  let href = ''
  state.doc.nodesBetween(from, to, ({ marks }) => {
    href ||= String(link.isInSet(marks)?.attrs['href'] ?? '')
  })
  return { from, to, href }
}

/** An address without a scheme is one of the web. @returns null for one that may not be stored */
export function addressOf(typed: string): string | null {
  const trimmed = typed.trim()
  const hasBeginning = /^(?:[a-z][a-z\d+.-]*:|[/#?])/i.test(trimmed)
  const isMail = /^[^\s@/]+@[^\s@/]+$/.test(trimmed)
  const address = hasBeginning ? trimmed : `${isMail ? 'mailto:' : 'https://'}${trimmed}`
  return checkAddress(address) === null ? markdownIt.normalizeLink(address) : null
}

/** @param href '': removes the link */
export function setLink(state: EditorState, href: string): Transaction {
  const { from, to } = linkPlace(state)
  const tr = state.tr.removeMark(from, to, link)
  return href === '' ? tr : tr.addMark(from, to, link.create({ href }))
}
