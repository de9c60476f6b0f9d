import t from 'tap'
import { adfToMarkdown } from '../jira/text/adf.ts'
import type { WikiContext } from '../jira/text/wiki-context.ts'

const context: WikiContext = {
  attachments: new Map([['shot.png', 'https://j.example/a/1/shot.png']]),
  people: new Map([['557058:ab', 'Ben Bold']]),
  mention: (_, otherwise) => otherwise,
  reference: (key, otherwise) => `‹${key}${otherwise === undefined ? '' : ` or ${otherwise}`}›`
}

type Node = { type: string } & Record<string, unknown>
const node = (type: string, content: Node[] = [], attrs?: object): Node => ({ type, content, ...(attrs && { attrs }) })
const text = (words: string, ...marks: Array<string | Node>): Node => ({
  type: 'text',
  text: words,
  marks: marks.map(mark => (typeof mark === 'string' ? { type: mark } : mark))
})
const paragraph = (...content: Node[]) => node('paragraph', content)
const said = (words: string) => paragraph(text(words))
const item = (...content: Node[]) => node('listItem', content)
const link = (href: string): Node => ({ type: 'link', attrs: { href } })
const cell = (type: 'tableHeader' | 'tableCell', ...content: Node[]) => node(type, content)
const row = (...cells: Node[]) => node('tableRow', cells)

/** Each checked by hand against Jira's rendering. */
const CONVERSIONS: ReadonlyArray<readonly [name: string, nodes: Node[], markdown: string]> = [
  ['paragraphs', [said('One'), said('Two')], 'One\n\nTwo'],
  ['characters of markup in a text', [said('2 * 3 and a_b `c` <b>')], '2 \\* 3 and a_b \\`c\\` \\<b>'],
  ['a line that would begin a list', [said('1. no list'), said('# no heading')], '1\\. no list\n\n\\# no heading'],
  [
    'headings',
    [node('heading', [text('Big')], { level: 1 }), node('heading', [text('S')], { level: 3 })],
    '# Big\n\n### S'
  ],
  ['a hard break', [paragraph(text('a'), node('hardBreak'), text('b'))], 'a\\\nb'],
  ['strong', [paragraph(text('a '), text('bold', 'strong'))], 'a **bold**'],
  ['emphasis', [paragraph(text('word', 'em'))], '*word*'],
  ['strong and emphasis', [paragraph(text('both', 'strong', 'em'))], '***both***'],
  ['struck text', [paragraph(text('gone', 'strike'))], '~~gone~~'],
  ['inline code', [paragraph(text('a*b`c', 'code'))], '``a*b`c``'],
  ['spaces at the ends of a mark', [paragraph(text('a'), text(' b ', 'strong'), text('c'))], 'a **b** c'],
  [
    'colours, underlines and sub',
    [paragraph(text('red', { type: 'textColor', attrs: { color: '#f00' } }), text(' under', 'underline'))],
    'red under'
  ],
  ['a link', [paragraph(text('docs', link('https://a.example/x')))], '[docs](https://a.example/x)'],
  ['a bare link', [paragraph(text('https://a.example/', link('https://a.example/')))], '<https://a.example/>'],
  [
    'a link to an issue',
    [paragraph(text('ENG-1', link('https://j.example/browse/ENG-1')))],
    '‹ENG-1 or [ENG-1](https://j.example/browse/ENG-1)›'
  ],
  ['a bullet list', [node('bulletList', [item(said('a')), item(said('b'))])], '- a\n- b'],
  ['an ordered list', [node('orderedList', [item(said('a')), item(said('b'))], { order: 3 })], '3. a\n4. b'],
  [
    'a nested list',
    [node('bulletList', [item(said('a'), node('orderedList', [item(said('b'))])), item(said('c'))])],
    '- a\n  1. b\n- c'
  ],
  [
    'a code block in a list',
    [node('bulletList', [item(said('a'), node('codeBlock', [text('x = 1')]))])],
    '- a\n\n  ```\n  x = 1\n  ```'
  ],
  [
    'a task list',
    [
      node('taskList', [
        node('taskItem', [text('done')], { state: 'DONE' }),
        node('taskItem', [text('open')], { state: 'TODO' })
      ])
    ],
    '- [x] done\n- [ ] open'
  ],
  ['a decision', [node('decisionList', [node('decisionItem', [text('we do')])])], '- we do'],
  ['a code block', [node('codeBlock', [text('```\na *b*')], { language: 'js' })], '````js\n```\na *b*\n````'],
  ['a quote', [node('blockquote', [said('a'), said('b')])], '> a\n>\n> b'],
  ['a panel', [node('panel', [said('Careful')], { panelType: 'warning' })], '> Careful'],
  ['an expand', [node('expand', [said('inside')], { title: 'More' })], '**More**\n\ninside'],
  ['a rule', [said('a'), node('rule'), said('b')], 'a\n\n---\n\nb'],
  [
    'a table with a header',
    [
      node('table', [
        row(cell('tableHeader', said('Name')), cell('tableHeader', said('Size'))),
        row(cell('tableCell', said('a|b')), cell('tableCell', paragraph(text('1', 'strong'))))
      ])
    ],
    '| Name | Size |\n| --- | --- |\n| a\\|b | **1** |'
  ],
  ['a mention', [paragraph(node('mention', [], { id: '557058:ab', text: '@Ben' }))], '@Ben'],
  ['a mention by its id', [paragraph(node('mention', [], { id: '557058:ab' }))], '@Ben Bold'],
  ['an emoji', [paragraph(node('emoji', [], { shortName: ':grin:', text: '😀' }))], '😀'],
  ['a date', [paragraph(node('date', [], { timestamp: '1767225600000' }))], '2026-01-01'],
  ['a status', [paragraph(node('status', [], { text: 'DONE', color: 'green' }))], '**DONE**'],
  ['a card', [paragraph(node('inlineCard', [], { url: 'https://a.example/' }))], '<https://a.example/>'],
  [
    'an attachment',
    [node('mediaSingle', [node('media', [], { alt: 'shot.png', id: '1' })])],
    '![shot.png](https://j.example/a/1/shot.png)'
  ],
  ['an attachment that is not there', [node('mediaSingle', [node('media', [], { alt: 'gone.png' })])], 'gone.png'],
  ['a node that is not known', [node('layoutSection', [node('layoutColumn', [said('text')])])], 'text']
]

for (const [name, nodes, markdown] of CONVERSIONS) {
  t.test(`${name}: shown in markdown as in Jira`, async t => {
    t.equal(adfToMarkdown(node('doc', nodes), context), markdown)
  })
}

t.test('values that are not documents become empty text', async t => {
  for (const hostile of [
    null,
    42,
    'text',
    [],
    {},
    { content: 'x' },
    { content: [null, { type: 5 }, { content: [{}] }] }
  ]) {
    t.equal(adfToMarkdown(hostile, context), '')
  }
})

t.test('an invalid date stays what it was', async t => {
  t.equal(adfToMarkdown(node('doc', [paragraph(node('date', [], { timestamp: 'soon' }))]), context), 'soon')
})
