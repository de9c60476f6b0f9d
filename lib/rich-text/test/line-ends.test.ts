import t from 'tap'
import type { Mark, Node } from 'prosemirror-model'
import { parse, schema, serialize, validate } from '../index.ts'
import { documentSurvives, withoutSource } from './properties.ts'

const { nodes, marks } = schema
const data = 'a\r\n# b\r- c\n\n> d'
const text = (of: string, ...set: Mark[]) => schema.text(of, set)
const link = marks.link.create({ href: '/u', title: data })
const image = nodes.image.create({ src: '/u', alt: data, title: data })
const cell = (...content: Node[]) =>
  nodes.table.create(null, nodes.table_row.create(null, nodes.table_header.create(null, content)))

const blocks: Record<string, Node> = {
  'a text': nodes.paragraph.create(null, text(data)),
  'a code mark': nodes.paragraph.create(null, text(data, marks.code.create())),
  'the title of a link': nodes.paragraph.create(null, text('x', link)),
  'the title and the description of an image': nodes.paragraph.create(null, image),
  'a heading': nodes.heading.create({ level: 1 }, [text(data, marks.code.create()), text('x', link), image]),
  'a deep heading': nodes.heading.create({ level: 4 }, [text(data), text(data, marks.code.create()), image]),
  'a cell': cell(text(data), text(data, marks.code.create()), text('x', link), image),
  'a code block': nodes.code_block.create(null, text(data)),
  'a code block in a quote': nodes.blockquote.create(null, nodes.code_block.create(null, text(data))),
  'a code block in an item': nodes.bullet_list.create(
    null,
    nodes.list_item.create(null, nodes.code_block.create(null, text(data)))
  )
}

for (const [name, block] of Object.entries(blocks)) {
  t.test(`line ends in ${name} make no other block`, async t => {
    const doc = nodes.doc.create(null, [block, nodes.paragraph.create(null, text('end'))])
    const back = parse(serialize(doc))
    t.same(
      back.children.map(({ type }) => type.name),
      [block.type.name, 'paragraph']
    )
    t.notMatch(serialize(doc), /\r/)
  })

  t.test(`line ends in ${name} are line feeds when the JSON was checked`, async t => {
    const result = validate(nodes.doc.create(null, block).toJSON())
    if ('problems' in result) return t.fail('it is a document')
    t.notMatch(JSON.stringify(result.doc), /\\r/)
    t.equal(documentSurvives(result.doc), null)
  })
}

t.test('the source of a document keeps its line ends when the JSON is checked', async t => {
  const doc = parse('# a\r\n\r\nb\rc')
  t.match(validate(doc.toJSON()), { doc: { attrs: { source: '# a\r\n\r\nb\rc' } } })
})

t.test('a character reference for a line end in a language is a space', async t => {
  for (const end of ['&#10;', '&#13;', '&#13;&#10;']) {
    const doc = parse(`\`\`\`a${end}b\nx\n\`\`\``)
    t.equal(doc.firstChild?.attrs.params, 'a b')
    t.equal(serialize(withoutSource(doc)), '```a b\nx\n```')
  }
})

t.test('a character reference for a line end in a title or a text is a line feed', async t => {
  t.equal(serialize(withoutSource(parse('[a](/u "b&#13;c") d&#13;e'))), '[a](/u "b&#10;c") d&#10;e')
})

t.test('raw HTML of several lines stays in its heading', async t => {
  t.equal(serialize(withoutSource(parse('x <a\nb> y\n==='))), 'x <a\nb> y\n===')
  const html = nodes.html_inline.create({ html: '<a\n  b>' })
  t.equal(serialize(nodes.doc.create(null, nodes.heading.create({ level: 3 }, html))), '### <a b>')
})

t.test('raw HTML of several lines stays in its cell', async t => {
  t.equal(
    serialize(nodes.doc.create(null, cell(text('x'), nodes.html_inline.create({ html: '<a\n  b="c|d">' })))),
    '| x<a b="c\\|d"> |\n| --- |'
  )
})

t.test('lines of raw HTML are not escaped', async t => {
  const markdown = 'x <a b="\n2. c\n+d"> y'
  t.equal(serialize(withoutSource(parse(markdown))), markdown)
})

t.test('raw HTML that would end its paragraph is refused', async t => {
  for (const html of [
    '<a\n\nb>',
    '<a b="\n# c">',
    '<a b="\n- c">',
    '<a b="\n> c">',
    '<a b="\n---\n">',
    '<!--\n\n-->'
  ]) {
    const content = [{ type: 'paragraph', content: [{ type: 'html_inline', attrs: { html } }] }]
    t.match(validate({ type: 'doc', content }), { problems: [{ path: 'content[0].content[0].attrs.html' }] }, html)
  }
})

t.test('a separator of lines or paragraphs ends no line of markdown', async t => {
  t.equal(serialize(withoutSource(parse('`a\u2028# b` c\u2029> d'))), '`a\u2028# b` c\u2029> d')
})
