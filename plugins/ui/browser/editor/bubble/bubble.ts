import { lift, toggleMark, wrapIn } from 'prosemirror-commands'
import type { MarkType, NodeType } from 'prosemirror-model'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import { Plugin, TextSelection, type Command, type EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { schema } from '../../../../../lib/rich-text/schema.ts'
import type { Place } from '../../parts/place.ts'
import { cellAt } from '../tables/table-commands.ts'
import { linkAt, linkPlace, setLink } from './links.ts'
import { Listeners } from '../../data/listeners.ts'

const { nodes, marks } = schema

export interface Format {
  title: string
  icon: string
  keys?: string
  /** Undefined: it is an action, not a toggle. */
  isOn?(state: EditorState): boolean
  command: Command
}
const mark = (title: string, icon: string, keys: string, type: MarkType): Format => ({
  title,
  icon,
  keys,
  isOn: ({ doc, selection: { from, to } }) => doc.rangeHasMark(from, to, type),
  command: toggleMark(type)
})
const block = (title: string, icon: string, type: NodeType, wrap: Command, unwrap: Command): Format => {
  const isOn = ({ selection: { $from } }: EditorState) =>
    Array.from({ length: $from.depth }, (_, depth) => $from.node(depth)).some(node => node.type === type)
  return { title, icon, isOn, command: (state, ...rest) => (isOn(state) ? unwrap : wrap)(state, ...rest) }
}
export const MARKS: readonly Format[] = [
  mark('Bold', 'bold', 'mod+b', marks.strong),
  mark('Italic', 'italic', 'mod+i', marks.em),
  mark('Strikethrough', 'strike', 'mod+shift+x', marks.strike),
  mark('Code', 'code', 'mod+e', marks.code)
]
export const BLOCKS: readonly Format[] = [
  block('List', 'bullets', nodes.bullet_list, wrapInList(nodes.bullet_list), liftListItem(nodes.list_item)),
  block('Quote', 'quote', nodes.blockquote, wrapIn(nodes.blockquote), lift)
]

export interface Shown {
  view: EditorView
  state: EditorState
  kind: 'selection' | 'link' | 'table'
  isWriting: boolean
}

function kindOf(state: EditorState): Shown['kind'] | undefined {
  if (!state.selection.empty) return 'selection'
  if (linkAt(state)) return 'link'
  return cellAt(state) && 'table'
}

/** While the top of a table is not visible, the place of the line of the cursor. */
function tablePlace(view: EditorView, at: number): Place {
  const { left, top, bottom } = (view.nodeDOM(at) as HTMLElement).getBoundingClientRect()
  if (top > ROOM) return { left, top, bottom }
  const cursor = view.coordsAtPos(view.state.selection.from)
  return { left, top: cursor.top, bottom: cursor.bottom }
}
const ROOM = 48

export class Bubble {
  readonly plugin: Plugin
  readonly #listeners = new Listeners()
  #shown: Shown | undefined
  #isDragging = false
  #element: HTMLElement | null = null

  constructor() {
    this.plugin = new Plugin({
      view: () => ({ update: view => this.#update(view), destroy: () => this.#show(undefined) }),
      props: {
        handleKeyDown: (view, event) => this.#handleKey(view, event),
        handleDOMEvents: {
          blur: (view, { relatedTarget }) => this.left(view, relatedTarget),
          mousedown: view => this.#drag(view)
        }
      }
    })
  }

  get shown(): Shown | undefined {
    return this.#shown
  }
  readonly subscribe = this.#listeners.add

  /** @param room below a selection, in pixels */
  place({ view, state, kind }: Shown, room: number): Place {
    if (kind === 'table') return tablePlace(view, cellAt(state)!.at)
    const { from, to } = linkPlace(state)
    const { left, top } = view.coordsAtPos(from)
    return { left, top, bottom: view.coordsAtPos(to, -1).bottom + (state.selection.empty ? 0 : room) }
  }

  /** @returns a function that unsets it */
  setElement(element: HTMLElement): () => void {
    this.#element = element
    return () => {
      this.#element = null
    }
  }

  writeAddress(): void {
    if (this.#shown && this.#shown.kind !== 'table') this.#show({ ...this.#shown, isWriting: true })
  }

  run(command: Command): void {
    const view = this.#shown?.view
    if (!view) return
    command(view.state, view.dispatch, view)
    this.leave()
  }
  /** @param href '': removes the link */
  setLink(href: string): void {
    this.run((state, dispatch) => {
      dispatch?.(setLink(state, href))
      return true
    })
  }

  leave(): void {
    const view = this.#shown?.view
    view?.focus()
    if (view) this.#update(view)
  }

  left(view: EditorView, to: EventTarget | null): void {
    const isHere = to instanceof globalThis.Node && (view.dom.contains(to) || this.#element?.contains(to))
    if (!isHere) this.#show(undefined)
  }

  #drag(view: EditorView): void {
    this.#isDragging = true
    const end = () => {
      this.#isDragging = false
      if (!view.isDestroyed) this.#update(view)
    }
    // After the editor has read the selection.
    window.addEventListener('mouseup', () => setTimeout(end), { once: true })
  }

  #handleKey(view: EditorView, event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    if (key === 'F10' && altKey && this.#element) {
      this.#element.querySelector<HTMLElement>('[tabindex="0"], input')?.focus()
      return true
    }
    const isLinkKey = key.toLowerCase() === 'k' && shiftKey && (ctrlKey || metaKey)
    if (!isLinkKey) return false
    this.#update(view)
    this.writeAddress()
    return this.#shown?.isWriting === true
  }

  #update(view: EditorView): void {
    const { state } = view
    const { selection } = state
    const isText = selection instanceof TextSelection && !selection.$from.parent.type.spec.code
    const kind = kindOf(state)
    const isHere = view.hasFocus() || this.#element?.contains(document.activeElement) === true
    if (!isText || !isHere || this.#isDragging || !kind) return this.#show(undefined)
    if (this.#shown?.state !== state || this.#shown.isWriting) this.#show({ view, state, kind, isWriting: false })
  }

  #show(shown: Shown | undefined): void {
    if (shown === this.#shown) return
    this.#shown = shown
    this.#listeners.call()
  }
}
