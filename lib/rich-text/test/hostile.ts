import type { Node } from 'prosemirror-model'
import { schema } from '../index.ts'

/** `count` texts, each made from its number. */
const numbered = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('')

/** Inputs that make parsers slow or drop text, of about `size` characters. */
export const hostile: Record<string, (size: number) => string> = {
  'one word': size => 'a'.repeat(size),
  'one line': size => 'word '.repeat(size / 5),
  lines: size => 'a\n'.repeat(size / 2),
  paragraphs: size => 'a\n\n'.repeat(size / 3),
  headings: size => '#\n'.repeat(size / 2),
  items: size => '- a\n'.repeat(size / 4),
  'lists of one item': size => '- a\n* b\n'.repeat(size / 8),
  'items of three levels': size => '- - - a\n'.repeat(size / 8),
  rows: size => '|a|\n|-|\n' + 'a\n'.repeat(size / 2),
  'HTML blocks': size => '<div>\n\n'.repeat(size / 7),
  definitions: size => '[a]: /b\n'.repeat(size / 8),
  'definitions of different labels': size => numbered(size / 13, i => `[a${i}]: /b\n`),
  quotes: size => '>'.repeat(size),
  'quotes over lazy lines': size => '>'.repeat(200) + 'a\n'.repeat(size / 2),
  'items in items': size => '- '.repeat(size / 2),
  'items in quotes': size => '> - '.repeat(size / 4),
  'brackets that open': size => '['.repeat(size),
  'brackets that close': size => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'images that open': size => '![['.repeat(size / 3),
  'stars that open': size => '*a '.repeat(size / 3),
  'stars of two lengths': size => '*a **a'.repeat(size / 6),
  'stars that nest': size => '*a '.repeat(size / 6) + 'a* '.repeat(size / 6),
  'emphasis beside emphasis': size => '*a* '.repeat(size / 4),
  'code in emphasis': size => '*`a`*'.repeat(size / 5),
  'links that open': size => '[a]('.repeat(size / 4),
  references: size => '[a]: /b\n\n' + '[a] '.repeat(size / 4),
  'references to different labels': size =>
    numbered(size / 26, i => `[a${i}]: /b\n`) + numbered(size / 26, i => `\n[a${i}]\n`),
  footnotes: size => numbered(size / 26, i => `[^${i}]: b\n`) + numbered(size / 26, i => `\na[^${i}]\n`),
  'headings of different texts': size => numbered(size / 10, i => `# a${i}\n`),
  'tasks of different texts': size => numbered(size / 13, i => `- [ ] a${i}\n`),
  'backticks of every length': size => Array.from({ length: Math.sqrt(2 * size) }, (_, i) => '`'.repeat(i)).join(' '),
  'comments that open': size => '<!--'.repeat(size / 4),
  'tags that open': size => '<a '.repeat(size / 3),
  'cells that are missing': size => `${'|'.repeat(size / 8)}\n${'|-'.repeat(size / 8)}|\n${'a\n'.repeat(size / 4)}`,
  'tables whose cells are missing': size =>
    `${'|'.repeat(101)}\n${'|-'.repeat(100)}|\n${'a\n'.repeat(100)}\n`.repeat(size / 504),
  addresses: size => 'http://a.b '.repeat(size / 11),
  'an address that does not end': size => 'www.'.repeat(size / 4),
  'e-mail addresses': size => 'a@b.c '.repeat(size / 6),
  'character references': size => '&amp;'.repeat(size / 5),
  ampersands: size => '&'.repeat(size),
  'white space': size => ' \t'.repeat(size / 2)
}

/** Edits of a document: one block is replaced, removed or added, or two change places. */
export const edits: Record<string, (doc: Node) => Node> = {
  'the first block replaced': doc => edited(doc, doc.children.with(0, addition)),
  'the last block replaced': doc => edited(doc, doc.children.with(-1, addition)),
  'the middle block removed': doc => edited(doc, doc.children.toSpliced(doc.childCount >> 1, 1)),
  'a block added in the middle': doc => edited(doc, doc.children.toSpliced(doc.childCount >> 1, 0, addition)),
  'the first and the last block exchanged': doc =>
    edited(doc, doc.children.with(0, doc.lastChild ?? addition).with(-1, doc.firstChild ?? addition)),
  'a list in the place of the middle block': doc => edited(doc, doc.children.with(doc.childCount >> 1, list))
}

const { nodes } = schema
const addition = nodes.paragraph.create(null, schema.text('Added, a_b *c* [d].'))
const list = nodes.bullet_list.create(null, nodes.list_item.create(null, addition))

function edited({ attrs }: Node, blocks: readonly Node[]): Node {
  return nodes.doc.create(attrs, blocks)
}
