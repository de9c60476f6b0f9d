import t from 'tap'
import type { Node } from 'prosemirror-model'
import { parse, schema, serialize } from '../index.ts'
import { withoutSource } from './properties.ts'
import { renderBlocks } from '../write/render.ts'

/* The exceptions that docs/rich-text.md lists under "What is not kept". */

const { nodes, marks } = schema
const doc = (...blocks: Node[]) => nodes.doc.create(null, blocks)
const paragraph = (...content: Node[]) => nodes.paragraph.create(null, content)
const rewritten = (markdown: string) => serialize(withoutSource(parse(markdown)))

t.test('invisible white space is removed, or moved out of emphasis', async t => {
  t.equal(
    serialize(doc(paragraph(schema.text('  a  '), schema.text('b ', [marks.strong.create()]), schema.text('c \n d ')))),
    'a  **b** c\nd'
  )
  t.equal(rewritten('&#32;a&#32;'), 'a')
})

t.test('content without output is dropped', async t => {
  t.equal(
    serialize(
      doc(
        paragraph(schema.text('a')),
        paragraph(),
        paragraph(nodes.hard_break.create()),
        paragraph(schema.text('b'), nodes.hard_break.create())
      )
    ),
    'a\n\nb'
  )
  t.equal(serialize(doc(paragraph(schema.text('a'), schema.text(' ', [marks.em.create()]), schema.text('b')))), 'a b')
})

t.test('an address that was kept from being a link becomes one', async t => {
  t.equal(rewritten('https\\://a.b'), 'https://a.b')
  t.equal(rewritten('__x@y.zz`__'), '__[x@y.zz\\`](mailto:x@y.zz%60)__')
})

t.test('a tick is written in lower case', async t => t.equal(rewritten('- [X] a'), '- [x] a'))

t.test('a cell or a deep heading has one line', async t => {
  const lines = [schema.text('a\nb'), nodes.hard_break.create(), schema.text('c')]
  t.equal(serialize(doc(nodes.heading.create({ level: 3 }, lines))), '### a b<br>c')
  t.equal(serialize(doc(nodes.heading.create({ level: 2 }, lines))), 'a\nb\\\nc\n---')
  t.equal(
    serialize(doc(nodes.table.create(null, nodes.table_row.create(null, nodes.table_header.create(null, lines))))),
    '| a b<br>c |\n| --- |'
  )
  t.equal(serialize(doc(paragraph(schema.text('a\nb', [marks.code.create()])))), '`a b`')
})

t.test('raw HTML in a cell or a deep heading has one line', async t => {
  const html = nodes.html_inline.create({ html: '<i\n  x>' })
  t.equal(serialize(doc(nodes.heading.create({ level: 3 }, html))), '### <i x>')
})

t.test('a line feed in what follows a fence, as a character reference, is a space', async t => {
  const markdown = '```a&#10;b\nx\n```'
  t.equal(parse(markdown).firstChild?.attrs['params'], 'a b')
  t.equal(serialize(parse(markdown)), markdown)
  t.equal(rewritten(markdown), '```a b\nx\n```')
})

t.test('a carriage return as a character reference is a line feed', async t => t.equal(rewritten('a&#13;b'), 'a&#10;b'))

t.test('a link by reference gets its address', async t => {
  t.equal(rewritten('[a][b] ![c][b]\n\n[b]: /x "y"'), '[a](/x "y") ![c](/x "y")\n\n[b]: /x "y"')
})

t.test('math between dollars is text', async t => {
  t.equal(rewritten('$x \\{a_1\\}$ and $x_{2}$'), '$x {a_1}$ and $x\\_{2}$')
  t.equal(rewritten('$`\\{a_1\\}`$\n\n```math\n\\{a_1\\}\n```'), '$`\\{a_1\\}`$\n\n```math\n\\{a_1\\}\n```')
})

t.test('the second paragraph of a footnote is a code block', async t => {
  t.equal(rewritten('[^1]: a\n\n    b'), '[^1]: a\n\n```\nb\n```')
})

t.test('a table ends where it has three times as many cells as characters', async t => {
  const table = parse(`${'|a'.repeat(99)}|\n${'|-'.repeat(99)}|\n${'b\n'.repeat(99)}`)
  t.match(
    table.children.map(({ type }) => type.name),
    ['table', 'paragraph']
  )
  t.ok(table.firstChild && table.firstChild.childCount > 10, 'ordinary tables are far from it')
})

t.test('a list is as loose as markdown can say', async t => {
  const item = (...texts: string[]) =>
    nodes.list_item.create(
      null,
      texts.map(text => paragraph(schema.text(text)))
    )
  t.equal(serialize(doc(nodes.bullet_list.create({ tight: false }, item('a')))), '- a')
  t.equal(serialize(doc(nodes.bullet_list.create({ tight: true }, [item('a', 'b'), item('c')]))), '- a\n\n  b\n\n- c')
})

t.test('a table is as wide as its longest row', async t => {
  const row = (...texts: string[]) =>
    nodes.table_row.create(
      null,
      texts.map(text => nodes.table_header.create(null, schema.text(text)))
    )
  t.equal(serialize(doc(nodes.table.create(null, [row('a'), row('b', 'c')]))), '| a |  |\n| --- | --- |\n| b | c |')
})

t.test('raw HTML that would swallow what follows is closed', async t => {
  const { children } = parse('<!-- open')
  t.equal(serialize(doc(...children, paragraph(schema.text('a')))), '<!-- open-->\n\na')
  t.equal(serialize(doc(...children)), '<!-- open')
})

t.test('rules, fences and neighbouring lists have one style', async t => {
  t.equal(rewritten('***\n\n    code\n\n~~~js\nx\n~~~'), '---\n\n```\ncode\n```\n\n```js\nx\n```')
  t.equal(rewritten('- a\n* b'), '- a\n\n* b')
})

t.test('what nests too deep is literal text', async t => {
  t.match(renderBlocks(parse('*a '.repeat(12) + 'a* '.repeat(12))), /^<p>(?:<em>a ){10}\*a \*a a\* a\*/)
})

t.test('a second writing without the source of the first may need fewer escapes', async t => {
  const once = rewritten('www.a.bc`)\n``[t][a]')
  t.equal(once, '[www\\.a.bc\\`](http://www.a.bc%60))\n\\`\\`\\[t\\]\\[a\\]')
  t.equal(rewritten(once), '[www.a.bc\\`](http://www.a.bc%60))\n\\`\\`\\[t]\\[a]')
  t.equal(serialize(parse(once)), once, 'with it, nothing changes')
})

t.test('single tildes are text', async t => t.equal(rewritten('~a~'), '~a~'))
