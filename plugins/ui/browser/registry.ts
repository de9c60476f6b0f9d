import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { point, type Point } from '../../../core/contract.ts'
import { ui } from '../contract.ts'

/*
 * What the parts of plugins contribute in the browser. The tokens are those of the server: an owner reads what the
 * parts in the bundle contribute, and knows none by name.
 */

/** The browser half of a plugin: the default export of the module that its `UiPart.entry` names. */
export type Part = (to: { contribute<T>(point: Point<string, T>, ...items: Array<NoInfer<T>>): void }) => void

const contributed = new Map<string, unknown[]>()

/** What the parts have contributed to a point, in the order of their plugins. */
export const contributions = <T>({ id }: Point<string, T>): readonly T[] => (contributed.get(id) ?? []) as T[]

export function install(parts: readonly Part[]): void {
  for (const part of parts) {
    part({ contribute: ({ id }, ...items) => contributed.set(id, [...(contributed.get(id) ?? []), ...items]) })
  }
}

/** An address of the interface. Its component is a chunk of its own, which comes when somebody goes there. */
export interface Page {
  /** As wouter writes it: `/issue/:key`. */
  path: string
  title: string
  load: () => Promise<{ default: ComponentType<{ params: Record<string, string> }> }>
  /** Asks for what it will show, when it is the first page that somebody opens: its chunk comes meanwhile. */
  prepare?: (client: QueryClient) => Promise<void>
  /** Its place in the side bar, with what stands beside its name, and the keys that lead there. */
  place?: { order: number; icon: string; keys: string; href?: string; badge?: ComponentType }
}
export const pages = point<Page>()(ui, 'pages')

/** Something that can be done from anywhere: a row of the palette and of the sheet of keys. */
export interface UiCommand {
  id: string
  title: string
  section: string
  /** `c`, `/`, `g b` (one after the other), `mod+k`; the first is shown. */
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

/** What stands on every page, such as a dialog that a command opens. */
export const overlays = point<ComponentType>()(ui, 'overlays')

/** A way to sign in, on the page that asks for it. */
export interface SignInForm {
  id: string
  order: number
  component: ComponentType<{ onSignedIn: () => void }>
}
export const signInForms = point<SignInForm>()(ui, 'signInForms')

/** What is asked for again when events of some kinds arrive: the first words of the keys of queries. */
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
