import type { QueryClient } from '@tanstack/react-query'
import { isHistoryTransaction } from 'prosemirror-history'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { hasAllWords } from '../../../../../lib/words/fold.ts'
import type { Place } from '../../parts/place.ts'
import type { Uploads } from '../files/uploads.ts'
import { makeBlockSource } from './blocks.ts'
import { contributedSources, wordAt, type Item, type ItemSource, type Word } from './word.ts'
import { Listeners } from '../listeners.ts'

export const LIST_ID = 'completions'
export const optionId = (at: number): string => `${LIST_ID}-${at}`

/** The displayed list. */
export interface Shown {
  label: string
  items: readonly Item[]
  active: number
}

/** Completes what is typed in an editor: blocks after `/`, and what the parts contribute, such as names after `@`. */
export class Completing {
  /** Its state: the last change of the text is no undoing. */
  readonly plugin: Plugin<boolean>
  readonly #sources: readonly ItemSource[]
  readonly #listeners = new Listeners()
  #view: EditorView | undefined
  #shown: Shown | undefined
  #word: Word | undefined
  /** Escape closed the list of the word. */
  #isClosed = false
  #abort = new AbortController()

  constructor(uploads: Uploads, client: QueryClient) {
    this.#sources = [makeBlockSource(uploads), ...contributedSources(client)]
    this.plugin = new Plugin<boolean>({
      state: { init: () => false, apply: tr => tr.docChanged && !isHistoryTransaction(tr) },
      view: view => {
        this.#view = view
        return { update: view => this.#update(view), destroy: () => this.#leave() }
      },
      props: {
        handleKeyDown: (_view, event) => this.#hear(event),
        handleDOMEvents: { blur: () => this.#leave() }
      }
    })
  }

  get shown(): Shown | undefined {
    return this.#shown
  }
  readonly subscribe = this.#listeners.add

  /** Of the typed word; undefined: there is none any more. */
  place(): Place | undefined {
    return this.#view && this.#word && this.#view.coordsAtPos(this.#word.from)
  }

  choose(at: number): void {
    const [item, word, view] = [this.#shown?.items[at], this.#word, this.#view]
    this.#leave()
    if (item && word && view) item.choose(view, word.from)
  }

  #hear(event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    if (!this.#shown || altKey || ctrlKey || metaKey || shiftKey) return false
    const { items, active } = this.#shown
    const by = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (by !== undefined) this.#show({ ...this.#shown, active: (active + by + items.length) % items.length })
    else if (key === 'Enter' || key === 'Tab') this.choose(active)
    else if (key === 'Escape') {
      this.#isClosed = true
      this.#show(undefined)
    } else return false
    // A dialog around the text stays open.
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  #update(view: EditorView): void {
    const word = wordAt(view.state, this.#sources)
    const isSame = word?.from === this.#word?.from
    // The cursor that comes by opens no list.
    if (!word || !view.hasFocus() || !(isSame || this.plugin.getState(view.state))) return this.#leave()
    if (isSame && word.text === this.#word?.text) return
    if (!isSame || word.source !== this.#word?.source) this.#leave()
    this.#word = word
    if (!this.#isClosed) this.#find(view, word)
  }

  async #find(view: EditorView, { source, query, from }: Word): Promise<void> {
    this.#abort.abort()
    const { signal } = (this.#abort = new AbortController())
    const { label } = source
    // Until the answer arrives, Enter must not choose what no longer matches.
    const items = this.#shown?.items.filter(({ title, hint }) => hasAllWords(`${hint} ${title}`, query)) ?? []
    if (items.length < (this.#shown?.items.length ?? 0)) this.#showItems(label, items)
    // Without a connection there is nothing to choose.
    const found = await source.find(query, signal, view, from).catch(() => [])
    if (!signal.aborted) this.#showItems(label, found)
  }

  #showItems(label: string, items: readonly Item[]): void {
    this.#show(items.length === 0 ? undefined : { label, items, active: 0 })
  }

  #leave(): void {
    this.#abort.abort()
    this.#word = undefined
    this.#isClosed = false
    this.#show(undefined)
  }

  #show(shown: Shown | undefined): void {
    if (shown === this.#shown) return
    this.#shown = shown
    // Screen readers read the active item while the focus is in the text.
    const names = { 'aria-controls': LIST_ID, 'aria-activedescendant': shown && optionId(shown.active) }
    for (const [name, value] of Object.entries(names)) {
      if (shown && value) this.#view?.dom.setAttribute(name, value)
      else this.#view?.dom.removeAttribute(name)
    }
    this.#listeners.call()
  }
}
