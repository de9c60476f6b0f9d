import fc from 'fast-check'
import t from 'tap'
import { parse, type NodeJson } from '../../../lib/rich-text/index.ts'
import { displayDocument } from '../browser/rich-text/display-document.ts'
import { SEED } from '../../../test/runner/seed.ts'

const display = (markdown: string) => displayDocument(parse(markdown).toJSON() as NodeJson)
/** The types and texts of nodes, without other attributes. */
function outline({ type, attrs = {}, text, content = [] }: NodeJson): string {
  const { isOpen, summary, kind, n, nth, html } = attrs
  const own = [isOpen === true && 'open', summary, kind, n && `${String(n)}.${String(nth)}`, html].filter(Boolean)
  const name = [type, ...own].map(String).join(' ')
  return type === 'text' || type === 'markdown' ? text!.trim() : `${name}(${content.map(outline).join(', ')})`
}
const blocks = (markdown: string) => display(markdown).blocks.map(outline).join(', ')
const footnotes = (markdown: string) =>
  display(markdown).footnotes.map(({ content, references }) => `${references}: ${content.map(outline).join(', ')}`)

t.test('details have their blocks, nested, and text that is HTML beside the tags', async t => {
  t.equal(
    blocks('<details open>\n<summary>A &amp; <b>B</b></summary>\n\n- x\n\n</details>\n\nafter'),
    'details open A &amp; B(bullet_list(list_item(paragraph(x)))), paragraph(after)'
  )
  t.equal(
    blocks('<details><summary>A</summary>\nin **it**\n</details>\nmore'),
    'details A(in **it**), more',
    'in one block of HTML'
  )
  t.equal(
    blocks('<details>\n\n<details>\n<summary>in</summary>\n\nx\n\n</details>\n\ny\n\n</details>'),
    'details(details in(paragraph(x)), paragraph(y))'
  )
  t.equal(blocks('> <details>\n>\n> a\n>\n> </details>'), 'blockquote(details(paragraph(a)))')
})

t.test('what is not closed, or closes nothing, is displayed as it is written', async t => {
  const open = '<details>\n<summary>raw</summary>'
  t.equal(blocks(`${open}\n\na`), `html_block ${open}(), paragraph(a)`)
  t.equal(blocks('a\n\n</details>'), 'paragraph(a), html_block </details>()')
  t.equal(
    blocks('<details>\n\n> </details>\n\nb'),
    'html_block <details>(), blockquote(html_block </details>()), paragraph(b)'
  )
  t.equal(blocks('<details>\n\n<summary>late\n\n</details>'), 'details(html_block <summary>late())')
  const deep = blocks('<details>\n\n'.repeat(3000) + '</details>\n\n'.repeat(3000))
  t.equal(deep.match(/(?<!<)details\(/g)!.length, 20)
})

t.test('callouts have the kind of their first line', async t => {
  t.equal(blocks('> [!NOTE]\n> **a**\n>\n> - b'), 'callout note(paragraph(a), bullet_list(list_item(paragraph(b))))')
  t.equal(blocks('> [!warning]  \n> a'), 'callout warning(paragraph(a))')
  t.equal(blocks('> [!TIP]\n>\n> a'), 'callout tip(paragraph(a))')
  t.equal(blocks('> > [!CAUTION]\n> > a'), 'blockquote(callout caution(paragraph(a)))', 'nested')
  for (const none of ['[!NOTE]', '[!NOTE] a', '[!OTHER]\n> a', '**[!NOTE]**\n> a', '[!NOTE] **a**', '`[!NOTE]`\n> a']) {
    t.match(blocks(`> ${none}`), /^blockquote/, none)
  }
})

t.test('footnotes are numbered by their references, and no definition is lost', async t => {
  const text = 'a[^b] c[^A] d[^b] `[^a]` [^none]\n\n[^a]: the *first*\n[^b]: second[^c]\n\n> [^c]: third\n\n[^d]: alone'
  t.equal(
    blocks(text),
    'paragraph(a, footnote_reference 1.1(), c, footnote_reference 2.1(), d, footnote_reference 1.2(), , [^a], [^none])'
  )
  t.strictSame(footnotes(text), ['2: second, footnote_reference 3.1()', '1: the, first', '1: third', '0: alone'])
  t.strictSame(footnotes('a[^1]\n[^1]: b\n\n[^1]: again'), ['2: b'])
  t.match(blocks('a[^1]\n[^1]: b\n\n[^1]: again'), /again/, 'a second definition is text')
  t.strictSame(footnotes('a **[^1]: b** [^2]: c'), [], 'only at the start of a line')
  t.strictSame(footnotes('[^1]: a[^1]'), ['1: a, footnote_reference 1.1()'], 'one that refers to itself')
})

t.test('tasks are counted as they are stored', async t => {
  const text = '- [ ] a\n- [ ]\n- [x] [^1]\n- [ ] <b>\n\n[^1]: x\n\n<details>\n\n- [ ] c\n\n</details>\n\n- [ ] d'
  const tasks: unknown[] = []
  const walk = ({ type, attrs, content = [] }: NodeJson): void => {
    if (type === 'list_item') tasks.push(attrs!['task'])
    content.forEach(walk)
  }
  display(text).blocks.forEach(walk)
  t.strictSame(tasks, [1, 0, 2, 0, 3, 4])
})

const line = fc.oneof(
  fc.constantFrom(
    '<details>',
    '</details>',
    '<details open>',
    '<summary>',
    '</summary>',
    '<details\nopen>',
    '<div>',
    '```'
  ),
  fc.constantFrom('[!NOTE]', '[!tip]', '[^1]', '[^a]: ', '[^1]: ', '[^1]: [^a] ', '**', '- ', '- [ ] ', '| a |', '<b>'),
  fc.constantFrom('> ', '> > ', '> [!WARNING]\n> ', '  ', '    ', '\n', '\n\n', '\n\n> ', '</b>', '<!-- ', '-->'),
  fc.nat(99).map(n => `q${n}z`)
)
const markdown = fc.array(fc.tuple(line, fc.constantFrom('', ' ', '\n', '\n\n')), { maxLength: 40 })
const wordsOf = (nodes: unknown) => new Set(JSON.stringify(nodes).match(/q\d+z/g))

t.test('no word is lost, in whatever order the marks are', async t => {
  fc.assert(
    fc.property(markdown, lines => {
      const doc = parse(lines.flat().join('')).toJSON() as NodeJson
      const missing = wordsOf(doc.content).difference(wordsOf(displayDocument(doc)))
      return missing.size === 0
    }),
    { numRuns: 3000, seed: SEED }
  )
  t.pass()
})
