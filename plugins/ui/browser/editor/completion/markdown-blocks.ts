import type { Uploads } from '../files/uploads.ts'
import { makeBlockSource, type BlockTitle } from './block-source.ts'
import type { ItemSource } from './word.ts'

const BEGINNINGS: Partial<Record<BlockTitle, string>> = {
  'Heading 1': '# ',
  'Heading 2': '## ',
  'Heading 3': '### ',
  List: '- ',
  'Numbered list': '1. ',
  Tasks: '- [ ] ',
  Quote: '> ',
  Callout: '> [!NOTE]\n> '
}
/** Blocks of several lines: the text before the cursor, and after it. */
const AROUND: Partial<Record<BlockTitle, readonly [before: string, after: string]>> = {
  Table: ['| ', ' |  |  |\n| --- | --- | --- |\n|  |  |  |'],
  Code: ['```\n', '\n```'],
  Divider: ['---\n\n', '']
}

export const makeMarkdownBlocks = (uploads: Uploads): ItemSource<HTMLTextAreaElement> =>
  makeBlockSource(uploads, {
    isPossible: () => true,
    insert(title, field, from) {
      const lineStart = field.value.lastIndexOf('\n', from - 1) + 1
      const line = field.value.slice(lineStart, from)
      const beginning = BEGINNINGS[title]
      if (beginning !== undefined) return replaceBefore(field, lineStart, beginning + line)
      const [before, after] = AROUND[title] ?? ['', '']
      replaceBefore(field, from, (before && line.trim() && '\n\n') + before + after)
      field.selectionEnd -= after.length
      if (title === 'File') uploads.choose()
    }
  })

/** Only a command of the browser can be undone, and emits the events of typing. */
export function replaceBefore(field: HTMLTextAreaElement, from: number, text: string): void {
  field.setSelectionRange(from, field.selectionEnd)
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
}
