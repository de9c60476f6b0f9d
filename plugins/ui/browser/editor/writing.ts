import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSession } from '../session/session.ts'
import type { StoredFile } from '../registry.ts'
import { fileMarkdown, Uploads } from './files/uploads.ts'
import { forgetDraft, readDraft, writeDraft, type Draft, type DraftPlace, type Mode } from './drafts.ts'
import { Listeners } from '../data/listeners.ts'
import { remember } from '../data/remember.ts'

/** Milliseconds without a change after which a draft is stored, and the maximum between two changes. */
const PAUSE_MS = 400
const MAX_WAIT_MS = 3000

interface WritingState<C> {
  /** When it changes, the field begins anew with `text()`. */
  version: number
  /** The field that begins anew leaves the focus where it is. */
  leavesFocus: boolean
  context: C
  mode: Mode
  isBlank: boolean
  isChanged: boolean
  draftAt: string | undefined
  isKept: boolean
  /** Files are being added: the text is not complete. */
  isUploading: boolean
  /** It is being saved, and cannot be changed: text that is typed meanwhile would be lost. */
  isSaving: boolean
}

const MODE = 'tracker.editor-mode'
const rememberedMode = (): Mode => (localStorage.getItem(MODE) === 'source' ? 'source' : 'edit')

interface WritingOptions<C> {
  /** The text to change; empty: a new one. */
  stored: string
  context: C
  mode?: Mode | undefined
}

/** It is converted to Markdown only when it is read: a conversion takes too long for each key. */
export class Writing<C> {
  readonly #accountId: string
  readonly #place: DraftPlace
  readonly #stored: string
  readonly #storedContext: C
  readonly #listeners = new Listeners()
  readonly uploads = new Uploads(file => this.append(file))
  #read: () => string
  #state: WritingState<C>
  #timer = 0
  #firstChange = 0

  constructor(accountId: string, place: DraftPlace, { stored, context, mode }: WritingOptions<C>) {
    const draft = readDraft(accountId, place.name) as Draft<C> | undefined
    this.#accountId = accountId
    this.#place = place
    this.#stored = stored
    this.#storedContext = context
    const initial = draft?.text ?? stored
    this.#read = () => initial
    this.#state = {
      version: 0,
      leavesFocus: false,
      context: draft?.context ?? context,
      mode: draft?.mode ?? mode ?? rememberedMode(),
      isBlank: initial.trim() === '',
      isChanged: draft !== undefined,
      draftAt: draft?.at,
      isKept: true,
      isUploading: false,
      isSaving: false
    }
    this.uploads.subscribe(() => this.#set({ isUploading: this.uploads.list.length > 0 }))
  }

  get state(): WritingState<C> {
    return this.#state
  }

  readonly subscribe = this.#listeners.add

  text(): string {
    return this.#read()
  }

  /** @param read the text at the time of the call */
  change(read: () => string, isBlank: boolean): void {
    this.#read = read
    this.#set({ isBlank, isChanged: true })
    this.#storeSoon()
  }

  append(file: StoredFile): void {
    const text = this.text().trimEnd()
    this.#begin(`${text}${text && '\n\n'}${fileMarkdown(file)}`, { isChanged: true })
    this.flush()
  }

  /** Puts another text in its place; the focus stays where it is. */
  replace(text: string, context: C): void {
    this.#begin(text, { context, isChanged: true, leavesFocus: true })
    this.flush()
  }

  setContext(context: C): void {
    this.#set({ context, isChanged: true })
    this.#storeSoon()
  }

  setSaving(isSaving: boolean): void {
    this.#set({ isSaving })
  }

  setMode(mode: Mode): void {
    this.#begin(this.text(), { mode })
    remember(MODE, mode)
    if (this.#state.isChanged) this.flush()
  }

  flush = (): void => {
    clearTimeout(this.#timer)
    this.#timer = 0
    this.#firstChange = 0
    if (!this.#state.isChanged) return
    const { context, mode } = this.#state
    const text = this.text()
    const isStored = text === this.#stored && JSON.stringify(context) === JSON.stringify(this.#storedContext)
    if (isStored) {
      forgetDraft(this.#accountId, this.#place.name)
      return this.#set({ isChanged: false, draftAt: undefined, isKept: true })
    }
    const at = new Date().toISOString()
    const isKept = writeDraft(this.#accountId, { ...this.#place, text, context, mode, at })
    this.#set({ isKept, draftAt: isKept ? at : undefined })
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.uploads.cancelAll()
    forgetDraft(this.#accountId, this.#place.name)
    this.#begin(this.#stored, {
      context: this.#storedContext,
      isChanged: false,
      isSaving: false,
      draftAt: undefined,
      isKept: true
    })
  }

  #begin(text: string, more: Partial<WritingState<C>>): void {
    this.#read = () => text
    const version = this.#state.version + 1
    this.#set({ leavesFocus: false, ...more, isBlank: text.trim() === '', version })
  }

  #storeSoon(): void {
    const now = performance.now()
    this.#firstChange ||= now
    clearTimeout(this.#timer)
    const wait = Math.max(0, Math.min(PAUSE_MS, this.#firstChange + MAX_WAIT_MS - now))
    this.#timer = window.setTimeout(this.flush, wait)
  }

  #set(change: Partial<WritingState<C>>): void {
    const next = { ...this.#state, ...change }
    const names = Object.keys(change) as Array<keyof WritingState<C>>
    if (names.every(name => change[name] === this.#state[name])) return
    this.#state = next
    this.#listeners.call()
  }
}

export const useWritingState = <C>(writing: Writing<C>): WritingState<C> =>
  useSyncExternalStore(writing.subscribe, () => writing.state)

/** Only the first call reads `stored`. @param mode default: the one that was chosen last */
export function useWriting<C>(place: DraftPlace, stored: string, context: C, mode?: Mode): Writing<C> {
  const accountId = useSession()?.account?.id ?? ''
  const [writing] = useState(() => new Writing(accountId, place, { stored, context, mode }))
  useEffect(() => {
    // The page may be left without being unmounted: by closing the tab, or to another app on a phone.
    const whenHidden = () => document.visibilityState === 'hidden' && writing.flush()
    const beforeLeaving = (event: Event) => writing.state.isUploading && event.preventDefault()
    window.addEventListener('beforeunload', beforeLeaving)
    window.addEventListener('pagehide', writing.flush)
    document.addEventListener('visibilitychange', whenHidden)
    return () => {
      window.removeEventListener('beforeunload', beforeLeaving)
      window.removeEventListener('pagehide', writing.flush)
      document.removeEventListener('visibilitychange', whenHidden)
      writing.uploads.cancelAll()
      writing.flush()
    }
  }, [writing])
  return writing
}

export function useHasDraft(name: string): boolean {
  const accountId = useSession()?.account?.id ?? ''
  return readDraft(accountId, name) !== undefined
}

interface LineDraft<C> {
  text: string
  context: C
}
/** A state that is stored in this browser; null: no text. */
export function useLineDraft<C>(place: DraftPlace) {
  const accountId = useSession()?.account?.id ?? ''
  const { name, title, href } = place
  const [written, setWritten] = useState(() => (readDraft(accountId, name) as LineDraft<C> | undefined) ?? null)
  useEffect(() => {
    if (written === null) return forgetDraft(accountId, name)
    writeDraft(accountId, { name, title, href, ...written, mode: 'source', at: new Date().toISOString() })
  }, [accountId, name, title, href, written])
  /** For a text that was saved, maybe after its page was left. */
  const forget = (saved: LineDraft<C>): void => {
    forgetDraft(accountId, name)
    setWritten(now => (now === saved ? null : now))
  }
  return [written, setWritten, forget] as const
}
