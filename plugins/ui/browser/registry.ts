import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { point, type Point } from '../../../core/api/contract.ts'
import { ui } from '../contract.ts'

/*
 * Contributions of plugins in the browser. The tokens are those of the server: the owner of a point reads what the
 * parts in the bundle contribute, and does not know them by name.
 */

/** The browser half of a plugin: the default export of the module that its `UiPart.entry` names. */
export type Part = (to: { contribute<T>(point: Point<string, T>, ...items: Array<NoInfer<T>>): void }) => void

const contributed = new Map<string, unknown[]>()

/** The contributions of the parts to a point, in the order of their plugins. */
export const contributions = <T>({ id }: Point<string, T>): readonly T[] => (contributed.get(id) ?? []) as T[]

export function install(parts: readonly Part[]): void {
  for (const part of parts) {
    part({ contribute: ({ id }, ...items) => contributed.set(id, [...(contributed.get(id) ?? []), ...items]) })
  }
}

/** An address of the interface. Its component is a separate chunk, which is loaded when somebody opens it. */
export interface Page {
  /** In the notation of wouter: `/issue/:key`. */
  path: string
  title: string
  load: () => Promise<{ default: ComponentType<{ params: Record<string, string> }> }>
  /** Fetches its data, when it is the first page that somebody opens, while its chunk is loaded. */
  prepare?: (client: QueryClient) => Promise<void>
  /** Its entry in the side bar, with the content beside its name, and the keys that open it. */
  place?: { order: number; icon: string; keys: string; href?: string; badge?: ComponentType }
}
export const pages = point<Page>()(ui, 'pages')

/** An action that is available everywhere: a row of the palette and of the list of keys. */
export interface UiCommand {
  id: string
  title: string
  section: string
  /** `c`, `/`, `g b` (one after the other), `mod+k`; the first is displayed. */
  keys?: readonly string[]
  run(): void | Promise<void>
}
export const commands = point<UiCommand>()(ui, 'commands')

/** A row of the palette that depends on what is typed. */
export interface Found {
  id: string
  title: string
  hint?: string
  /** ISO 8601: when it changed last. */
  at?: string
  run(): void
}
export interface Finder {
  section: string
  find(text: string, signal: AbortSignal): Promise<Found[]>
}
export const finders = point<Finder>()(ui, 'finders')

/** A component on every page, such as a dialog that a command opens. */
export const overlays = point<ComponentType>()(ui, 'overlays')

/** A way to sign in, on the page that asks for it. */
export interface SignInForm {
  id: string
  order: number
  component: ComponentType<{ onSignedIn: () => void }>
}
export const signInForms = point<SignInForm>()(ui, 'signInForms')

/** The queries that are fetched again when certain events arrive, by the first elements of their keys. */
export interface LiveQueries {
  /** The beginning of the types: `issue.`. */
  events: string
  queries: readonly string[]
}
export const liveQueries = point<LiveQueries>()(ui, 'liveQueries')

/** A tab of the settings. */
export interface SettingsTab {
  path: string
  title: string
  order: number
  load: () => Promise<{ default: ComponentType }>
}
export const settingsTabs = point<SettingsTab>()(ui, 'settingsTabs')
