import type { UiCommand } from '../../ui/browser/contract.ts'

/** Makes the commands of a section of the palette. */
export const commandsOf =
  (section: string) =>
  (id: string, title: string, keys: readonly string[], run: () => void): UiCommand => ({
    id,
    title,
    section,
    keys,
    run
  })
