import TurndownService from 'turndown'
import { gfm } from '@joplin/turndown-plugin-gfm'
import type { WikiContext } from './wiki-context.ts'

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  emDelimiter: '*'
})
turndown.use(gfm)

const BROWSE_LINK = /\[((?:[^\\[\]]|\\.)*)\]\((https?:\/\/[^\s()]+\/browse\/([A-Z][A-Z0-9_]+-\d+))\)/g

/** Where markdown has no form, the text; without scripts and styles. */
export function htmlToMarkdown(html: string, { reference }: WikiContext): string {
  const markdown = turndown.turndown(html).trim()
  return markdown.replaceAll(BROWSE_LINK, (all, label: string, _, key: string) =>
    label.includes(key) || label.startsWith('http') ? reference(key, all) : `${label} (${reference(key, key)})`
  )
}
