import type { UiCommand } from '../../ui/browser/contract.ts'

export const commandsOf =
  (section: string) =>
  (id: string, title: string, keys: readonly string[], run: () => void): UiCommand => ({
    id,
    title,
    section,
    keys,
    run
  })
