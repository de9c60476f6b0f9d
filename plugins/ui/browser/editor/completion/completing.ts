import { hasAllWords } from '../../../../../lib/words/fold.ts'
import type { Place } from '../../parts/place.ts'
import { Listeners } from '../../data/listeners.ts'
import { wordAt, type Item, type ItemSource, type Word } from './word.ts'

export const LIST_ID = 'completions'
export const optionId = (at: number): string => `${LIST_ID}-${at}`

export interface Shown<F> {
  label: string
  items: readonly Item<F>[]
  active: number
}

interface Completed<F> {
  sources: readonly ItemSource<F>[]
  /** The element that has the focus. */
  elementOf(field: F): HTMLElement
  placeOf(field: F, at: number): Place
}

export class Completing<F> {
  readonly #completed: Completed<F>
  readonly #listeners = new Listeners()
  #field: F | undefined
  #shown: Shown<F> | undefined
  #word: Word<F> | undefined
  /** Escape closed the list of the word. */
  #isClosed = false
  #abort = new AbortController()

  constructor(completed: Completed<F>) {
    this.#completed = completed
  }

  get shown(): Shown<F> | undefined {
    return this.#shown
  }
  readonly subscribe = this.#listeners.add

  /** Undefined: there is no typed word. */
  place(): Place | undefined {
    return this.#field && this.#word && this.#completed.placeOf(this.#field, this.#word.from)
  }

  choose(at: number): void {
    const [item, word, field] = [this.#shown?.items[at], this.#word, this.#field]
    this.leave()
    if (item && word && field) item.choose(field, word.from)
  }

  /** @returns true: the key was for the list */
  handleKey(event: KeyboardEvent): boolean {
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

  /**
   * @param before the text before the cursor; undefined: nothing is completed there
   * @param isTyped the text was changed, but not by undoing; a mere move of the cursor opens no list
   */
  update(field: F, before: string | undefined, cursor: number, isTyped: boolean): void {
    this.#field = field
    const word = before === undefined ? undefined : wordAt(before, cursor, this.#completed.sources)
    const isSame = word?.from === this.#word?.from
    if (!word || !(isSame || isTyped)) return this.leave()
    if (isSame && word.text === this.#word?.text) return
    if (!isSame || word.source !== this.#word?.source) this.leave()
    this.#word = word
    if (!this.#isClosed) this.#find(field, word)
  }

  async #find(field: F, { source, query, from }: Word<F>): Promise<void> {
    this.#abort.abort()
    const { signal } = (this.#abort = new AbortController())
    const { label } = source
    // Until the answer arrives, Enter must not choose an item that no longer matches.
    const items = this.#shown?.items.filter(({ title, hint }) => hasAllWords(`${title} ${hint ?? ''}`, query)) ?? []
    if (items.length < (this.#shown?.items.length ?? 0)) this.#showItems(label, items)
    // Without a connection there is nothing to choose.
    const results = await source.find(query, signal, field, from).catch(() => [])
    if (!signal.aborted) this.#showItems(label, results)
  }

  #showItems(label: string, items: readonly Item<F>[]): void {
    this.#show(items.length === 0 ? undefined : { label, items, active: 0 })
  }

  leave(): void {
    this.#abort.abort()
    this.#word = undefined
    this.#isClosed = false
    this.#show(undefined)
  }

  #show(shown: Shown<F> | undefined): void {
    if (shown === this.#shown) return
    this.#shown = shown
    // Screen readers read the active item while the focus is in the text.
    const names = { 'aria-controls': LIST_ID, 'aria-activedescendant': shown && optionId(shown.active) }
    const element = this.#field && this.#completed.elementOf(this.#field)
    for (const [name, value] of Object.entries(names)) {
      if (shown && value) element?.setAttribute(name, value)
      else element?.removeAttribute(name)
    }
    this.#listeners.call()
  }
}
