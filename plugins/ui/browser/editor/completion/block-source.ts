import { hasAllWords } from '../../../../../lib/words/fold.ts'
import type { Uploads } from '../files/uploads.ts'
import type { ItemSource } from './word.ts'

/** By title: other words by which a block is found, and its Markdown. */
const BLOCKS = {
  'Heading 1': ['title h1', '#'],
  'Heading 2': ['title h2', '##'],
  'Heading 3': ['title h3', '###'],
  List: ['bullet points', '-'],
  'Numbered list': ['ordered', '1.'],
  Tasks: ['todo criteria checklist', '- [ ]'],
  Table: ['columns rows', ''],
  Code: ['fence program', '```'],
  Quote: ['blockquote', '>'],
  Callout: ['note tip warning', '> [!NOTE]'],
  Divider: ['rule line', '---'],
  File: ['image upload attach', '']
} as const
export type BlockTitle = keyof typeof BLOCKS

interface Inserting<F> {
  isPossible(title: BlockTitle, field: F, from: number): boolean
  insert(title: BlockTitle, field: F, from: number): void
}

export const makeBlockSource = <F>(uploads: Uploads, { isPossible, insert }: Inserting<F>): ItemSource<F> => ({
  label: 'Blocks',
  word: /(?<!\S)\/(\p{L}{0,20})$/u,
  find: async (query, _signal, field, from) =>
    (Object.keys(BLOCKS) as BlockTitle[])
      .filter(title => hasAllWords(`${title} ${BLOCKS[title][0]}`, query))
      .filter(title => (title !== 'File' || uploads.isPossible) && isPossible(title, field, from))
      .map(title => ({
        id: title,
        title,
        hint: BLOCKS[title][1],
        choose: (field, from) => insert(title, field, from)
      }))
})
