import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import type { Node } from 'prosemirror-model'
import { render } from '../html.ts'
import { parse, schema, serialize } from '../index.ts'
import { linkLikeGfm, markdownIt } from '../markdown-it.ts'
import { read } from '../parse.ts'
import { blocksOf } from '../shape.ts'
import { cut } from '../source.ts'

/*
 * What must hold for every text and every document, and generators for both. A property answers null or what is wrong.
 */

const { nodes } = schema

/** The document as it comes back from the store. */
export function stored(markdown: string): Node {
  return schema.nodeFromJSON(JSON.parse(JSON.stringify(parse(markdown))))
}

/** The document without its source, so that every byte of its markdown has to be written anew. */
export function bare(doc: Node): Node {
  return nodes.doc.create({ source: null }, doc.content)
}

const references = [false, true].map(breaks => {
  const reference = new MarkdownIt({ html: true, linkify: true, breaks, maxNesting: 1000 })
  reference.normalizeLinkText = url => url
  linkLikeGfm(reference)
  // Raw HTML begins a line, as in the reference implementation of CommonMark.
  reference.renderer.rules.html_block = (tokens, i) => `\n${tokens[i]?.content}`
  return reference
})

/** How markdown-it renders a text, line breaks significant or not, but for white space that is not shown. */
export function rendered(markdown: string): string[] {
  return references.map(reference => visible(reference.render(markdown)))
}

/** Drops what docs/rich-text.md lists as not kept: white space that does not show, bare addresses, the case of a tick. */
function visible(html: string): string {
  return html
    .replace(/<a href="([^"]*)">([^<]*)<\/a>/g, (link, address, text) =>
      ['', 'mailto:', 'http://'].some(scheme => markdownIt.normalizeLink(scheme + text) === address) ? text : link
    )
    .replace(/[ \t\n]+/g, ' ')
    .replace(/((?:<(?:em|strong|s)>)+)((?: |<br>)+)/g, '$2$1')
    .replace(/ ((?:<\/(?:em|strong|s)>)+)/g, '$1 ')
    .replace(/ ?(<\/?(?:p|h\d|ul|ol|li|blockquote|pre|table|thead|tbody|tr|th|td|hr|br)\b[^>]*>) ?/g, '$1')
    .replace(/ (?=<\/code><\/pre>)/g, '')
    .replace(/ +/g, ' ')
    .replaceAll('<p></p>', '')
    .replaceAll('[X]', '[x]')
    .trim()
}

export function bytesReturn(markdown: string): string | null {
  return serialize(stored(markdown)) === markdown ? null : 'an untouched text came back changed'
}

export function meaningSurvives(markdown: string): string | null {
  const back = serialize(bare(parse(markdown)))
  const [before, after] = [rendered(markdown), rendered(back)]
  return before.every((html, i) => html === after[i])
    ? null
    : `rewritten as ${JSON.stringify(back)}, it renders\n${after[0]}\nnot\n${before[0]}`
}

/** The markdown that was written is the markdown of the document that it makes. */
export function secondTripIsSame(markdown: string): string | null {
  const once = serialize(bare(parse(markdown)))
  return serialize(stored(once)) === once ? null : `${JSON.stringify(once)} came back changed`
}

/** Stricter than what any reader sees: even without the source of the first writing, the second is the same. */
export function rewritingIsStable(markdown: string): string | null {
  const once = serialize(bare(parse(markdown)))
  const twice = serialize(bare(parse(once)))
  return once === twice ? null : `rewritten as ${JSON.stringify(once)}, then as ${JSON.stringify(twice)}`
}

/** Another block in the place of one, or a new one before it, leaves the bytes of all others. A removed definition may not. */
export function otherBlocksKeepTheirBytes(markdown: string): string | null {
  const doc = stored(markdown)
  const { slices } = cut(doc.attrs.source, read(markdown))
  const edited = nodes.paragraph.create(null, schema.text('Edited.'))
  for (const [i, block] of doc.children.entries()) {
    if (slices.length === 0 || block.type === nodes.link_definition) continue
    for (const [blocks, others] of [
      [doc.children.with(i, edited), slices.toSpliced(i, 1)],
      [doc.children.toSpliced(i, 0, edited), slices]
    ] as const) {
      const back = serialize(nodes.doc.create(doc.attrs, blocks))
      const end = others.reduce(
        (from, slice) => (from < 0 || !back.includes(slice, from) ? -1 : back.indexOf(slice, from) + slice.length),
        0
      )
      if (end < 0) return `with block ${i} edited, ${JSON.stringify(markdown)} became ${JSON.stringify(back)}`
    }
  }
  return null
}

export function documentSurvives(doc: Node): string | null {
  const markdown = serialize(doc)
  const show = (of: Node) =>
    blocksOf(of)
      .map(block => render(block))
      .join('\n')
  return show(parse(markdown)) === show(doc)
    ? null
    : `written as ${JSON.stringify(markdown)}, it shows\n${show(parse(markdown))}\nnot\n${show(doc)}`
}

const fragments = [
  '*',
  '**',
  '_',
  '__',
  '~~',
  '~',
  '`',
  '``',
  '[',
  ']',
  '(',
  ')',
  '](u)',
  '](<v w> "t")',
  '![',
  '!',
  '<b>',
  '</b>',
  '<!-- c -->',
  '<',
  '>',
  '\\',
  '\\\n',
  '  \n',
  '&amp;',
  '&#42;',
  '&',
  'a',
  'b c',
  'snake_case',
  'é',
  '😀',
  'עברית',
  '\u00a0',
  ' ',
  ' ',
  ' ',
  '\n',
  '\n',
  '\n\n',
  '\n\n',
  ' http://a.b/c_d',
  ' https://x.y',
  ' www.a.bc',
  ' x@y.zz',
  '|',
  ':',
  '"',
  '+',
  '.',
  ',',
  '- ',
  '* ',
  '+ ',
  '1. ',
  '7) ',
  '0. ',
  '> ',
  '# ',
  '### ',
  '\n===\n',
  '\n---\n',
  '```',
  '\n```js\n',
  '\n~~~\n',
  '    ',
  '  ',
  '\t',
  '- [ ] ',
  '[x] ',
  '<div>',
  '<script>',
  '</script>',
  '\n[a]: /u "t"\n\n',
  '[a]',
  '[a][a]',
  '[t][a]',
  '\n| a | b |\n| - | :-: |\n',
  '| c \\| d | `e|f` |\n',
  '@name',
  'ENG-12',
  'C:\\dir\\file',
  '[^1]',
  '\r\n'
]

/** Markdown as no one writes it. */
export const markdowns = fc
  .array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 24 })
  .map(parts => parts.join(''))

const words = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'word',
      ' ',
      ' ',
      '\n',
      '*',
      '**',
      '_',
      '`',
      '~',
      '[',
      ']',
      '(x)',
      '!',
      '<b>',
      '&amp;',
      '\\',
      '|',
      '#',
      '- ',
      '1. ',
      '> ',
      '=',
      '.',
      'é',
      '😀',
      '\u00a0',
      'http://a.b',
      'a@b.cc',
      '"'
    ),
    { minLength: 1, maxLength: 6 }
  )
  .map(parts => parts.join(''))

const marking = fc
  .record({
    em: fc.constantFrom(null, null, null, '*', '_'),
    strong: fc.constantFrom(null, null, null, '*', '_'),
    strike: fc.constantFrom(false, false, false, true),
    link: fc.constantFrom(null, null, null, null, null, '/u', 'http://a.b'),
    code: fc.constantFrom(false, false, false, false, true),
    flipped: fc.boolean()
  })
  .map(({ em, strong, strike, link, code, flipped }) => {
    const { marks } = schema
    return [
      ...(em ? [marks.em.create({ delimiter: em, depth: flipped ? 1 : 0 })] : []),
      ...(strong ? [marks.strong.create({ delimiter: strong })] : []),
      ...(strike ? [marks.strike.create()] : []),
      ...(link ? [marks.link.create({ href: link, title: flipped ? 'a "t"' : null })] : []),
      ...(code ? [marks.code.create()] : [])
    ]
  })

const inlines = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.tuple(words, marking).map(([text, marks]) => schema.text(text, marks)) },
    { weight: 1, arbitrary: marking.map(marks => nodes.hard_break.create(null, null, marks)) },
    {
      weight: 1,
      arbitrary: fc.tuple(words, marking).map(([alt, marks]) => nodes.image.create({ src: 'i.png', alt }, null, marks))
    },
    { weight: 1, arbitrary: marking.map(marks => nodes.html_inline.create({ html: '<i x="y">' }, null, marks)) }
  ),
  { maxLength: 5 }
)

const { block } = fc.letrec<{ block: Node; item: Node }>(tie => {
  const blocks = fc.array(tie('block'), { minLength: 1, maxLength: 3 })
  return {
    item: fc
      .tuple(blocks, fc.constantFrom(null, null, true, false))
      .map(([content, checked]) => nodes.list_item.create({ checked }, content)),
    block: fc.oneof(
      { depthSize: 'small' },
      inlines.map(content => nodes.paragraph.create(null, content)),
      inlines.map(content => nodes.paragraph.create(null, content)),
      fc
        .tuple(inlines, fc.integer({ min: 1, max: 6 }))
        .map(([content, level]) => nodes.heading.create({ level }, content)),
      fc
        .tuple(words, fc.constantFrom('', 'js', 'a b'))
        .map(([code, params]) => nodes.code_block.create({ params }, schema.text(code))),
      fc.constantFrom('<div>', '<!-- open', '<b>\nx').map(html => nodes.html_block.create({ html })),
      fc.constant(nodes.horizontal_rule.create()),
      fc.constant(nodes.link_definition.create({ markdown: '[a]: /u "t"' })),
      fc.array(fc.array(inlines, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }).map(rows =>
        nodes.table.create(
          null,
          rows.map(cells =>
            nodes.table_row.create(
              null,
              cells.map(cell => nodes.table_cell.create({ align: 'left' }, cell))
            )
          )
        )
      ),
      fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map(content => nodes.blockquote.create(null, content)),
      fc
        .tuple(fc.array(tie('item'), { minLength: 1, maxLength: 3 }), fc.boolean(), fc.constantFrom('-', '*', '+'))
        .map(([items, tight, bullet]) => nodes.bullet_list.create({ tight, bullet }, items)),
      fc
        .tuple(fc.array(tie('item'), { minLength: 1, maxLength: 3 }), fc.boolean(), fc.constantFrom(0, 1, 7))
        .map(([items, tight, order]) => nodes.ordered_list.create({ tight, order }, items))
    )
  }
})

/** Documents as a rich editor, or any other client, may send them. */
export const documents = fc.array(block, { minLength: 1, maxLength: 4 }).map(blocks => nodes.doc.create(null, blocks))

/** Documents that were read from markdown and edited since: blocks of another put in, the order turned round, or all of it another. */
export const editedDocuments = fc.oneof(
  fc.tuple(markdowns, markdowns, fc.nat(20)).map(([source, other, place]) => {
    const [doc, { children }] = [parse(source), parse(other)]
    return nodes.doc.create(doc.attrs, doc.children.toSpliced(place % (doc.childCount + 1), 0, ...children))
  }),
  markdowns.map(source => nodes.doc.create({ source }, parse(source).children.toReversed())),
  fc.tuple(markdowns, documents).map(([source, doc]) => nodes.doc.create({ source }, doc.content))
)
