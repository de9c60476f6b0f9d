import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { point, type Point } from '../../../core/api/contract.ts'
import { ui } from '../contract.ts'

/*
 * Contributions of plugins in the browser. The tokens are the server's: the owner of a point reads the contributions of
 * all parts without knowing them by name.
 */

/** The browser half of a plugin: the default export of its `UiPart.entry`. */
export type Part = (to: { contribute<T>(point: Point<string, T>, ...items: Array<NoInfer<T>>): void }) => void

const contributed = new Map<string, unknown[]>()

export const contributions = <T>({ id }: Point<string, T>): readonly T[] => (contributed.get(id) ?? []) as T[]

export function install(parts: readonly Part[]): void {
  for (const part of parts) {
    part({ contribute: ({ id }, ...items) => contributed.set(id, [...(contributed.get(id) ?? []), ...items]) })
  }
}

/** An address of the interface. Its component is a separate chunk, loaded when it is opened. */
export interface Page {
  /** In the notation of wouter: `/issue/:key`. */
  path: string
  title: string
  load: () => Promise<{ default: ComponentType<{ params: Record<string, string> }> }>
  /** Fetches its data while its chunk is loaded, if it is the first page. */
  prepare?: (client: QueryClient) => Promise<void>
  /** The next visit begins with it, as it was last, filters included. */
  isRemembered?: boolean
  /** Other words by which the palette finds it: `notifications unread`. */
  words?: string
  /** Its entry in the side bar, with the content beside its name, and its keys. */
  place?: {
    order: number
    icon: string
    keys: string
    href?: string
    badge?: ComponentType
    /** A hook; without it the entry is always there. */
    useIsShown?: () => boolean
  }
}
export const pages = point<Page>()(ui, 'pages')

/** A section of the side bar, below the places; on a phone, of the sheet “More”. */
export interface SideBarSection {
  id: string
  title: string
  order: number
  component: ComponentType
  /** A hook; without it the section is always there. */
  useIsShown?: () => boolean
}
export const sideBarSections = point<SideBarSection>()(ui, 'sideBarSections')

/** A step of the page that a new workspace begins with; a separate chunk. */
export interface StartStepPart {
  order: number
  /** A component that renders a `StartStep`, or nothing for accounts that may not do it. */
  load: () => Promise<{ default: ComponentType }>
}
export const startSteps = point<StartStepPart>()(ui, 'startSteps')

/** Tells if the workspace is empty: then its administrators begin with the steps. */
export interface EmptyCheck {
  queryKey: readonly unknown[]
  queryFn: (options: { signal: AbortSignal }) => Promise<boolean>
}
export const emptyChecks = point<EmptyCheck>()(ui, 'emptyChecks')

/** An action that is available everywhere: in the palette and the list of keyboard shortcuts. */
export interface UiCommand {
  id: string
  title: string
  section: string
  /** `c`, `/`, `g b` (in sequence), `mod+k`; the first is displayed. */
  keys?: readonly string[]
  /** Other words by which the palette finds it: `add new`. */
  words?: string
  /** A held key runs it once. */
  isOnce?: true
  /** False: it cannot run now, or not on the focused element. Absent: it always can. */
  isAvailable?(): boolean
  run(): void | Promise<void>
}
export const commands = point<UiCommand>()(ui, 'commands')

/** An entry of the reader's account menu. */
export const accountActions = point<{ title: string; run(): void }>()(ui, 'accountActions')

/** A row of the palette that depends on the typed text. */
export interface Found {
  id: string
  title: string
  hint?: string
  /** ISO 8601: the last change. */
  at?: string
  /** It replaces the typed text, instead of `run`: the palette stays open. */
  completes?: string
  run(): void
}
/** A search of the palette: its rows for a typed text. */
export interface Finder {
  section: string
  /** The position of its rows among those of other finders; default: 0. */
  order?: number
  find(text: string, signal: AbortSignal, client: QueryClient): Promise<Found[]>
}
export const finders = point<Finder>()(ui, 'finders')

/** A component on every page, such as a dialog of a command. */
export const overlays = point<ComponentType>()(ui, 'overlays')

/** A way to sign in, on the page for it. */
export interface SignInForm {
  id: string
  order: number
  component: ComponentType<{ onSignedIn: () => void }>
}
export const signInForms = point<SignInForm>()(ui, 'signInForms')

/** The queries to refetch on certain events, by the first elements of their keys. */
export interface LiveQueries {
  /** The beginning of the event types: `issue.`. */
  events: string
  queries: readonly string[]
}
export const liveQueries = point<LiveQueries>()(ui, 'liveQueries')

/** Something with a page of its own, such as a project. */
export interface PageSubject {
  /** As in the types of events: `project`. */
  type: string
  id: string
  name: string
}
/** An action of another plugin in the bar of a subject's page, such as a star. */
export const subjectActions = point<ComponentType<{ subject: PageSubject }>>()(ui, 'subjectActions')

/** A page of the settings. */
export interface SettingsTab {
  path: string
  title: string
  order: number
  /** Other words by which the palette finds it: actions on the page. */
  words?: string
  load: () => Promise<{ default: ComponentType }>
}
export const settingsTabs = point<SettingsTab>()(ui, 'settingsTabs')

/** A stored file, whose address stands in texts. */
export interface StoredFile {
  name: string
  mimeType: string
  /** From the root of the server, without its path prefix. */
  url: string
}
export interface UploadOptions {
  /** The same for each attempt: the file is stored once. */
  idempotencyKey: string
  signal: AbortSignal
  onProgress(sentBytes: number): void
}
/** The subject of files, as in `?subject=<type>:<id>`. */
export interface FileSubject {
  type: string
  id: string
}
/** The styles that reserve the place of an image. */
export interface ImageBox {
  width?: string
  aspectRatio?: string
}
/** Files in texts, from the plugin that stores files. Without it, texts take no files, and show files as links. */
export interface FileSupport {
  /** @throws ApiProblem, or the reason of the signal */
  upload(file: File, options: UploadOptions): Promise<StoredFile>
  /** True for the address of a stored file. */
  isFile(address: string): boolean
  /** True for types that an `<img>` shows. */
  isShownAsImage(mimeType: string): boolean
  /** How a stored file is displayed as an image, as far as it is known; undefined: it is no image. */
  boxOf(address: string): ImageBox | undefined
  /**
   * Resolves when the files that a text names are known, or cannot be: then nothing moves when they are loaded.
   * @param subject the one that most of them belong to
   */
  prepare(text: string, subject: FileSubject | undefined): Promise<unknown>
  Image: ComponentType<{ address: string; alt: string }>
  Link: ComponentType<{ address: string; children: ReactNode }>
}
export const fileSupport = point<FileSupport>()(ui, 'fileSupport')

/** Pictures of people and agents, from the plugin that stores them. Without it, avatars are initials. */
export interface PictureSupport {
  /** A hook: the addresses of all pictures, by the ids of their accounts; from the root of the server, as above. */
  usePictures: () => ReadonlyMap<string, string>
  /** A field that sets and removes the picture of an account; a separate chunk. */
  loadField: () => Promise<{ default: ComponentType<AccountOfPicture> }>
}
export interface AccountOfPicture {
  id: string
  name: string
  isAgent?: boolean
}
export const pictureSupport = point<PictureSupport>()(ui, 'pictureSupport')

export interface Completion {
  id: string
  title: string
  hint?: string
  /** It replaces the typed word. */
  text: string
}
/** Completes a word that is typed in a text, such as a name after `@`. */
export interface Completer {
  /** The label of the list: `People and agents`. */
  label: string
  /** Matches the word to replace, at the end of the text before the cursor; its first group is the query. */
  word: RegExp
  find(query: string, signal: AbortSignal, client: QueryClient): Promise<Completion[]>
}
export const completers = point<Completer>()(ui, 'completers')

/** A place of a text that names something, such as `ENG-12`. */
export interface Reference {
  from: number
  to: number
  /** From the root of the server, without its path prefix. */
  href: string
  /** The value of `CARD_ATTRIBUTE`. */
  card: string
}
/** Finds the references of a text. It is called again for each text, and caches nothing. */
export type FindReferences = (text: string) => Reference[]
/** Names and keys in texts as links, from the plugin that finds them. Without it, names and keys are plain text. */
export interface ReferenceSupport {
  find(client: QueryClient): FindReferences
  /** The data that `find` needs: texts are read again when they change. */
  query: { queryKey: readonly unknown[]; queryFn: () => Promise<unknown>; staleTime: number }
}
export const referenceSupport = point<ReferenceSupport>()(ui, 'referenceSupport')
/** Elements with it have a card, which is displayed on hover and on focus. */
export const CARD_ATTRIBUTE = 'data-card'
