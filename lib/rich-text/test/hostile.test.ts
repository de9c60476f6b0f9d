import type { Node } from 'prosemirror-model'
import t from 'tap'
import { criteria, limits, parse, plainText, schema, serialize, tick, validate } from '../index.ts'
import { markdownIt } from '../read/markdown-it.ts'
import { edits, hostile } from './hostile.ts'
import { documentSurvives, stored, withoutSource } from './properties.ts'
import { renderBlocks } from '../write/render.ts'

/** Does `work`, and counts markdown-it's steps: rules tried, characters read, definitions passed. */
function counted<T>(work: () => T): { result: T; steps: number } {
  let count = 0
  const { parse: parseTokens } = markdownIt
  markdownIt.parse = (source, env) => {
    count += source.length + Object.keys(env.references ?? {}).length
    return parseTokens.call(markdownIt, source, env)
  }
  const undo: Array<() => void> = []
  for (const ruler of [markdownIt.block.ruler, markdownIt.inline.ruler]) {
    for (const rule of ruler.__rules__) {
      const { fn } = rule
      rule.fn = (...args: Parameters<typeof fn>) => {
        count++
        return Reflect.apply(fn, undefined, args)
      }
      undo.push(() => {
        rule.fn = fn
      })
    }
    ruler.__cache__ = null
  }
  const result = work()
  undo.forEach(restore => restore())
  markdownIt.parse = parseTokens
  for (const ruler of [markdownIt.block.ruler, markdownIt.inline.ruler]) ruler.__cache__ = null
  return { result, steps: count }
}
const countSteps = (work: () => unknown): number => counted(work).steps

for (const [name, make] of Object.entries(hostile)) {
  t.test(`${name}: nothing is lost, and twice the text is twice the work`, async t => {
    const [text, twice] = [make(6_000), make(12_000)]
    t.equal(serialize(stored(text)), text)
    const { result: read, steps: once } = counted(() => parse(text))
    t.equal(
      countSteps(() => serialize(stored(text))),
      once,
      'a round trip through JSON reads once'
    )
    const { result: readTwice, steps } = counted(() => parse(twice))
    t.ok(steps < 2.5 * once + 1000, 'reading is linear')
    t.ok(JSON.stringify(readTwice).length < 150 * twice.length, 'the JSON has a bound')
    const doc = withoutSource(read)
    const { result: written, steps: writing } = counted(() => serialize(doc))
    const letters = (of: string) => of.replace(/&#?\w+;|[^a-z]/g, '').length
    t.equal(letters(plainText(parse(written))), letters(plainText(doc)), 'rewritten, it has all its letters')
    const larger = withoutSource(readTwice)
    t.ok(countSteps(() => serialize(larger)) < 2.5 * writing + 1000, 'writing is linear')
  })
}

for (const [name, make] of Object.entries(hostile)) {
  t.test(`${name}: an edited text says what the document says, and twice the text is twice the work`, async t => {
    const [once, twice] = [stored(make(2_000)), stored(make(4_000))]
    for (const [edit, apply] of Object.entries(edits)) {
      const stepsOf = (doc: Node) => {
        parse('another text, so that the last reading is not that of the source')
        return countSteps(() => serialize(doc))
      }
      t.equal(documentSurvives(apply(once)), null, edit)
      const steps = stepsOf(apply(once))
      t.ok(stepsOf(apply(twice)) < 2.5 * steps + 2000, `${edit}: writing is linear`, { steps })
    }
  })
}

/* With a pattern that is quadratic in a run's length, each of these would take many minutes. */
const run = ' '.repeat(limits.bytes / 4)
const runs: Record<string, string> = {
  'white space in a paragraph': `a${run}b`,
  'white space in emphasis': `*a${run}b*`,
  'white space in a heading': `# a${run}b`,
  'white space in a task': `- [ ] a${run}b`,
  'white space in a cell': `| a${run}b |\n|-|\n`,
  'white space in a fence': `\`\`\`\na${run}b\n\`\`\``,
  'tildes in a fence': `~~~~ \`\n${run.replaceAll(' ', '~ ')}\n~~~~`,
  'words in a code span': `\`  ${run.replaceAll(' ', 'a ')}b\``,
  'number signs in a heading': `# a${run.replaceAll(' ', ' #')}b`,
  'colons after an angle bracket': `<${run.replaceAll(' ', 'a:')}`,
  'hyphens in an address': `<a@b${run.replaceAll(' ', '-')}>`,
  'comments that do not end': run.replaceAll('  ', '<!--'),
  'tags that do not end': `<div>\n${run.replaceAll(' ', '<')}`
}

for (const [name, text] of Object.entries(runs)) {
  t.test(`${name}: a long text is read, shown, ticked and edited`, async t => {
    const doc = stored(text)
    t.equal(serialize(doc), text)
    const edited = schema.nodes.doc.create(doc.attrs, [...doc.children, ...parse('end').children])
    t.match(plainText(parse(serialize(edited))), /end$/)
    for (const { n } of criteria(doc)) t.equal(serialize(tick(doc, [n])), text.replace('[ ]', '[x]'))
    t.equal(renderBlocks(parse(serialize(withoutSource(doc)))), renderBlocks(doc))
  })
}

t.test('a paragraph whose text has very many addresses is written', async t => {
  const text = schema.text('http://a.b '.repeat(45_000).trim())
  const doc = schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, text))
  t.equal(plainText(parse(serialize(doc))), text.text)
})

t.test('nesting beyond the limit is kept as literal text', async t => {
  for (const text of ['> '.repeat(400) + 'deep', '- '.repeat(400) + 'deep', '*a '.repeat(30) + 'a* '.repeat(30)]) {
    const doc = parse(text)
    t.match(validate(doc.toJSON()), { doc: Object })
    t.equal(plainText(doc).replace(/[^a-z]/g, ''), text.replace(/[^a-z]/g, ''))
    t.equal(serialize(stored(text)), text)
  }
})

t.test('JSON is looked at no further than the limits', async t => {
  const paragraph = (text: string) => ({
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }]
  })
  const large = validate(paragraph('a'.repeat(limits.bytes + 1)))
  t.ok('doc' in large)
  if ('doc' in large) t.throws(() => serialize(large.doc), { code: 'TOO_LARGE' })
  t.throws(() => validate('"' + 'a'.repeat(17 * limits.bytes)), { code: 'TOO_LARGE' })
  t.throws(() => validate('{"type":"blockquote","content":['.repeat(5000) + ']}'.repeat(5000)), { code: 'TOO_DEEP' })
  t.same(validate('['.repeat(100_000) + ']'.repeat(100_000)), {
    problems: [{ path: '', message: 'must be an object' }]
  })
  const many = validate({ type: 'doc', content: Array.from({ length: 1000 }, () => ({ type: 'nonsense' })) })
  t.equal('problems' in many && many.problems.length, 20, 'the first problems are enough')
})

t.test('a table is not filled up without end', async t => {
  const row = (cells: number) => ({
    type: 'table_row',
    content: Array.from({ length: cells }, () => ({ type: 'table_cell' }))
  })
  const result = validate({
    type: 'doc',
    content: [{ type: 'table', content: [row(5000), ...Array.from({ length: 5000 }, () => row(1))] }]
  })
  if ('problems' in result) return t.fail('it is a document')
  t.throws(() => serialize(result.doc), { code: 'TOO_LARGE' })
})

t.test('the rows of all tables of a document lack no more cells than the limit', async t => {
  const row = (cells: number) => ({
    type: 'table_row',
    content: Array.from({ length: cells }, () => ({ type: 'table_cell' }))
  })
  const ragged = (size: number) => ({
    type: 'table',
    content: [row(size), ...Array.from({ length: size }, () => row(1))]
  })
  const results = [[ragged(250)], [ragged(100), ragged(100)], [ragged(100)]].map(content =>
    validate({ type: 'doc', content })
  )
  const [one, two, small] = results.map(result => ('doc' in result ? result.doc : null))
  if (!one || !two || !small) return t.fail('they are documents')
  t.throws(() => serialize(one), { code: 'TOO_LARGE', message: /as many cells/ })
  t.throws(() => serialize(two), { code: 'TOO_LARGE' })
  t.equal(documentSurvives(small), null)
})

t.test('JSON that is no document is refused with a place', async t => {
  const inParagraph = (content: unknown) =>
    validate({ type: 'doc', content: [{ type: 'paragraph', content: [content] }] })
  const text = (marks: unknown) => inParagraph({ type: 'text', text: 'a', marks })
  const cases: Array<[result: ReturnType<typeof validate>, path: string]> = [
    [validate(null), ''],
    [validate([]), ''],
    [validate({ type: '__proto__' }), 'type'],
    [validate({ type: 'doc', content: {} }), 'content'],
    [validate({ type: 'doc', content: [{ type: 'text', text: 'a' }] }), 'content'],
    [
      validate({ type: 'doc', content: [{ type: 'bullet_list', content: [{ type: 'paragraph' }] }] }),
      'content[0].content'
    ],
    [validate({ type: 'doc', content: [{ type: 'heading', attrs: { level: '1' } }] }), 'content[0].attrs.level'],
    [
      validate({ type: 'doc', content: [{ type: 'heading', attrs: { constructor: 1 } }] }),
      'content[0].attrs.constructor'
    ],
    [validate({ type: 'doc', attrs: { source: 1 }, content: [] }), 'attrs.source'],
    [validate({ type: 'doc', content: [{ type: 'html_block', attrs: { html: 'no HTML' } }] }), 'content[0].attrs.html'],
    [
      validate({ type: 'doc', content: [{ type: 'link_definition', attrs: { markdown: 'none' } }] }),
      'content[0].attrs.markdown'
    ],
    [inParagraph({ type: 'text', text: '' }), 'content[0].content[0].text'],
    [inParagraph({ type: 'image', attrs: { src: 'data:text/html,x' } }), 'content[0].content[0].attrs.src'],
    [text('em'), 'content[0].content[0].marks'],
    [text([{ type: 'blink' }]), 'content[0].content[0].marks[0].type'],
    [text([{ type: 'link' }]), 'content[0].content[0].marks[0].attrs.href'],
    [text([{ type: 'link', attrs: { href: 'JavaScript:alert(1)' } }]), 'content[0].content[0].marks[0].attrs.href']
  ]
  for (const [result, path] of cases) t.match(result, { problems: [{ path }] }, path)
})

t.test('a document without content is an empty one', async t => {
  t.match(validate({ type: 'doc', content: [] }), { doc: Object })
  t.match(validate({ type: 'doc', content: [{ type: 'bullet_list', content: [{ type: 'list_item' }] }] }), {
    doc: Object
  })
})

/** The addresses of a document's links and images. */
function addressesIn(doc: Node): string[] {
  const addresses: string[] = []
  doc.descendants(({ attrs, marks }) => {
    for (const { src, href } of [attrs, ...marks.map(({ attrs }) => attrs)]) {
      if (typeof (src ?? href) === 'string') addresses.push(src ?? href)
    }
  })
  return addresses
}

t.test('no link or image has an address that runs', async t => {
  const attacks = [
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<svg/onload=alert(1)>',
    '[a](javascript:alert(1))',
    '[a](JAVA&#10;SCRIPT:alert(1))',
    '[a](data:text/html,x)',
    '<javascript:alert(1)>',
    '[a](vbscript:x)',
    '![a](javascript:x)',
    '![" onerror="alert(1)](x)',
    '[a](x "\\" onclick=\\"alert(1)")',
    '```"><script>\nx\n```',
    '[a](//evil.example)',
    '<style>*{}</style>',
    '<a href="javascript:x">y</a>',
    '[a](ftp://b)',
    '![a](ftp://b)',
    '![a](mailto:b@c.d)'
  ]
  for (const attack of attacks) {
    for (const address of addressesIn(parse(attack))) {
      t.match(new URL(address, 'https://site').protocol, /^(?:https|ftp|mailto):$/, attack)
    }
    for (const [, name = '', attributes = ''] of renderBlocks(parse(attack)).matchAll(
      /<(\w+)((?:[^"<>]|"[^"]*")*)>/g
    )) {
      t.match(name, /^(?:p|pre|code|a|img)$/, attack)
      for (const [, attribute = ''] of attributes.matchAll(/([\w-]+)="[^"]*"/g)) {
        t.match(attribute, /^(?:href|src|alt|title|rel|class)$/, attack)
      }
    }
  }
  const link = (href: string) => ({ type: 'text', text: 'a', marks: [{ type: 'link', attrs: { href } }] })
  for (const href of [
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    'file:///etc/passwd'
  ]) {
    const result = validate({ type: 'doc', content: [{ type: 'paragraph', content: [link(href)] }] })
    t.match(result, { problems: [{ path: 'content[0].content[0].marks[0].attrs.href' }] }, JSON.stringify(href))
  }
  t.match(
    renderBlocks(parse('<b>x</b>')),
    /&lt;b&gt;<\/code>x<code class="raw-html">&lt;\/b&gt;/,
    'it is shown as text'
  )
  t.strictSame(addressesIn(parse('[a](https://b) [c](mailto:d@e.f) [g](#h)')), ['https://b', 'mailto:d@e.f', '#h'])
})
