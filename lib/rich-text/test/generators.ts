import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { parse, schema, validate } from '../index.ts'

/* Random texts and documents. */

const { nodes } = schema

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
  '&#10;',
  '&#13;',
  '\uFEFF',
  '<i\nx>',
  '\n\t',
  '$a_b$',
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
  '[^1]: ',
  '\r\n'
]

/** Markdown that nobody would write. */
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
      '"',
      '\r\n',
      '\r',
      '\n# '
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
      ...(link ? [marks.link.create({ href: link, title: flipped ? 'a "t"\r\n# b\r\n\r\nc' : null })] : []),
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
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('<i x="y">', '<i\r\nx>', '<!-- a\n  b|c -->'), marking)
        .map(([html, marks]) => nodes.html_inline.create({ html }, null, marks))
    }
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

/** Documents that a rich editor, or any other client, may send. */
export const documents = fc
  .array(block, { minLength: 1, maxLength: 4 })
  .map(blocks => validated(nodes.doc.create(null, blocks)))

function validated(doc: Node): Node {
  const result = validate(doc.toJSON())
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.doc
}

/** Blocks that depend on their neighbours. */
const dependentBlocks = fc.constantFrom(
  'Steps (see a_b): do - it.',
  '- a: b_c',
  '-   d',
  '* e_f',
  '1. g\n2. h',
  '  1) i',
  '    code',
  '```\nopen',
  '~~~\nclosed\n~~~',
  '   indented_text',
  '[a]: /u "t"',
  'a [a] b',
  'a[^1] b',
  '[^1]: note',
  '<div>',
  '<!-- open',
  '| a |\n| - |',
  '> quote',
  '# h_',
  'x\n---',
  '***',
  '- [ ] task_a'
)

/** Texts whose blocks depend on each other, with an edit: a block removed, replaced, added or moved. */
export const smallEdits = fc
  .record({
    parts: fc.array(fc.tuple(dependentBlocks, fc.constantFrom('\n', '\n\n', '\n\n', '\n\n\n')), {
      minLength: 2,
      maxLength: 7
    }),
    other: dependentBlocks,
    kind: fc.constantFrom('remove', 'replace', 'add', 'move'),
    place: fc.nat(20)
  })
  .map(({ parts, other, kind, place }) => {
    const { attrs, children } = parse(parts.flat().join(''))
    const at = place % children.length
    const added = parse(other).children
    const edited = {
      remove: children.toSpliced(at, 1),
      replace: children.toSpliced(at, 1, ...added),
      add: children.toSpliced(at, 0, ...added),
      move: [...children.toSpliced(at, 1), children[at]!]
    }[kind]
    return nodes.doc.create(attrs, edited)
  })

/** Documents read from markdown, with blocks of another text, reversed, or with other content. */
export const editedDocuments = fc.oneof(
  fc.tuple(markdowns, markdowns, fc.nat(20)).map(([source, other, place]) => {
    const [doc, { children }] = [parse(source), parse(other)]
    return nodes.doc.create(doc.attrs, doc.children.toSpliced(place % (doc.childCount + 1), 0, ...children))
  }),
  markdowns.map(source => nodes.doc.create({ source }, parse(source).children.toReversed())),
  fc.tuple(markdowns, documents).map(([source, doc]) => nodes.doc.create({ source }, doc.content))
)
