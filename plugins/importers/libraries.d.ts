declare module '@joplin/turndown-plugin-gfm' {
  import type TurndownService from 'turndown'
  /** Tables, strikethrough and task lists. */
  export function gfm(service: TurndownService): void
}
