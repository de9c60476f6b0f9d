import { randomKey } from '../../data/random-key.ts'
import { contributions, fileSupport, type FileSubject, type FileSupport, type StoredFile } from '../../registry.ts'
import { Listeners } from '../../data/listeners.ts'

/** Undefined: no plugin stores files. */
export const findFileSupport = (): FileSupport | undefined => contributions(fileSupport)[0]

const MAX_WAIT_MS = 3000

/** Resolves when the files that the texts of the answer name are known, or that takes too long. */
export async function withFiles<T>(request: Promise<T>, subject?: FileSubject): Promise<T> {
  const data = await request
  const support = findFileSupport()
  if (!support) return data
  const prepared = support.prepare(JSON.stringify(data), subject)
  await Promise.race([prepared, new Promise(resolve => setTimeout(resolve, MAX_WAIT_MS))])
  return data
}

/** Maximum uploads at once; the server takes four of a person. */
const MAX_AT_ONCE = 3

export interface Upload {
  readonly idempotencyKey: string
  readonly file: File
  readonly state: 'waiting' | 'sent' | 'refused'
  readonly sentBytes: number
  readonly error?: unknown
}

/** Puts a file at a remembered place of a text; undefined: there will be none. */
export type PutFile = (file: StoredFile | undefined) => void
type MarkPlace = (file: File) => PutFile

export class Uploads {
  readonly #support = findFileSupport()
  readonly #listeners = new Listeners()
  readonly #places = new Map<string, PutFile>()
  readonly #aborts = new Map<string, AbortController>()
  #list: readonly Upload[] = []
  #markPlace: MarkPlace
  #open: (() => void) | undefined

  constructor(append: (file: StoredFile) => void) {
    this.#markPlace = () => file => file && append(file)
  }

  get isPossible(): boolean {
    return this.#support !== undefined
  }
  get list(): readonly Upload[] {
    return this.#list
  }
  readonly subscribe = this.#listeners.add

  /** @returns a function that restores the former field */
  setField(markPlace: MarkPlace): () => void {
    const before = this.#markPlace
    this.#markPlace = markPlace
    return () => {
      this.#markPlace = before
    }
  }

  /** @returns a function that unsets it */
  setChooser(open: () => void): () => void {
    this.#open = open
    return () => {
      this.#open = undefined
    }
  }
  choose(): void {
    this.#open?.()
  }

  /** A copied text may have a picture of itself: then there are none. */
  filesIn(data: DataTransfer | null): File[] {
    return this.isPossible && data?.getData('text/plain') === '' ? [...data.files] : []
  }

  take(event: ClipboardEvent | DragEvent): void {
    const files = this.filesIn('clipboardData' in event ? event.clipboardData : event.dataTransfer)
    if (event.defaultPrevented || files.length === 0) return
    event.preventDefault()
    this.add(files)
  }

  add(files: Iterable<File>): void {
    for (const file of files) {
      const idempotencyKey = randomKey()
      this.#places.set(idempotencyKey, this.#markPlace(file))
      this.#set([...this.#list, { idempotencyKey, file, state: 'waiting', sentBytes: 0 }])
    }
    this.#sendNext()
  }

  retry(key: string): void {
    this.#change(key, { state: 'waiting', sentBytes: 0, error: undefined })
    this.#sendNext()
  }

  cancel(key: string): void {
    this.#aborts.get(key)?.abort()
    this.#end(key, undefined)
  }

  cancelAll(): void {
    for (const { idempotencyKey } of this.#list) this.cancel(idempotencyKey)
  }

  #sendNext(): void {
    const free = MAX_AT_ONCE - this.#list.filter(({ state }) => state === 'sent').length
    for (const upload of this.#list.filter(({ state }) => state === 'waiting').slice(0, free)) this.#send(upload)
  }

  async #send({ idempotencyKey, file }: Upload): Promise<void> {
    const abort = new AbortController()
    const { signal } = abort
    this.#aborts.set(idempotencyKey, abort)
    this.#change(idempotencyKey, { state: 'sent' })
    const onProgress = (sentBytes: number) => this.#change(idempotencyKey, { sentBytes })
    try {
      const stored = await this.#support!.upload(file, { idempotencyKey, signal, onProgress })
      if (!signal.aborted) this.#end(idempotencyKey, stored)
    } catch (error) {
      if (!signal.aborted) this.#change(idempotencyKey, { state: 'refused', error })
    }
    this.#sendNext()
  }

  #end(key: string, stored: StoredFile | undefined): void {
    this.#set(this.#list.filter(({ idempotencyKey }) => idempotencyKey !== key))
    this.#places.get(key)?.(stored)
    this.#places.delete(key)
    this.#aborts.delete(key)
  }

  #change(key: string, change: Partial<Upload>): void {
    this.#set(this.#list.map(upload => (upload.idempotencyKey === key ? { ...upload, ...change } : upload)))
  }

  #set(list: readonly Upload[]): void {
    this.#list = list
    this.#listeners.call()
  }
}

export const isImage = ({ mimeType }: StoredFile): boolean => findFileSupport()?.isShownAsImage(mimeType) === true

export function fileMarkdown(file: StoredFile): string {
  const name = file.name.replaceAll(/[\\`*_[\]<>&~]/g, String.raw`\$&`)
  return `${isImage(file) ? '!' : ''}[${name}](${file.url})`
}

/** A file that is dropped beside a text would replace the page. */
export function keepPage(): void {
  for (const type of ['dragover', 'drop'] as const) {
    window.addEventListener(type, event => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    })
  }
}
