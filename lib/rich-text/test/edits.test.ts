import fc from 'fast-check'
import t from 'tap'
import { parse, schema, serialize } from '../index.ts'
import { smallEdits } from './generators.ts'
import { documentSurvives, noBlockIsRewrittenNeedlessly, stored, withoutSource } from './properties.ts'
import { texts } from './texts.ts'

const { nodes } = schema

/** The markdown after `count` blocks from `at` on were replaced by the blocks of `replacement`. */
function edit(markdown: string, at: number, count: number, replacement = ''): string {
  const { attrs, children } = stored(markdown)
  const added = replacement ? parse(replacement).children : []
  return serialize(nodes.doc.create(attrs, children.toSpliced(at, count, ...added)))
}

t.test('where two lists come together, only the marker of one changes', async t => {
  const steps = 'Steps (see a_b): do - it.\n- a: b_c\n\n'
  t.equal(edit(`${steps}middle\n\n- f`, 2, 1), `${steps}* f`)
})

t.test('a new list takes another marker than the lists beside it', async t => {
  t.equal(edit('- a_b\n\nmiddle\n\n* c_d\n', 1, 1, '- new'), '- a_b\n\n+ new\n\n* c_d\n')
})

t.test('where a paragraph would join a list, no block before the two is rewritten', async t => {
  t.equal(edit('a_b: c.\n- d\n\n# e\n\n  f.\n', 2, 1), 'a_b: c.\n- d\n\nf.\n')
})

t.test('after an edit of any block, every other keeps its bytes unless it would mean something else', async t => {
  const edits = fc.sample(smallEdits, { numRuns: 2000, seed: 6 })
  t.same(edits.map(noBlockIsRewrittenNeedlessly).filter(Boolean), [])
})

t.test('a text whose blocks depend on each other says what the edited document says', async t => {
  t.same(fc.sample(smallEdits, { numRuns: 2000, seed: 7 }).map(documentSurvives).filter(Boolean), [])
})

t.test('in every text that trackers mangle, no edit rewrites another block needlessly', async t => {
  for (const [name, text] of Object.entries(texts)) {
    const { attrs, children } = stored(text)
    for (const i of children.keys()) {
      if (children.length === 1) continue
      t.equal(noBlockIsRewrittenNeedlessly(nodes.doc.create(attrs, children.toSpliced(i, 1))), null, `${name}: ${i}`)
    }
  }
})

t.test('a code block that is left open keeps its last line, which is white space', async t => {
  t.equal(parse('```\na\n\t').textContent, 'a\n\t')
  t.equal(serialize(withoutSource(parse('```\na\n\t'))), '```\na\n\t\n```')
  t.equal(edit('```\na\n\t', 1, 0, 'end'), '```\na\n\t\n```\n\nend\n\t')
})

t.test('a byte order mark belongs to no block', async t => {
  t.match(parse('\uFEFF# T').firstChild, { type: nodes.heading, textContent: 'T' })
})

t.test('a byte order mark stays at the start of an edited text', async t => {
  t.equal(serialize(stored('\uFEFF# T\n\na_b')), '\uFEFF# T\n\na_b')
  t.equal(edit('\uFEFF# T\n\na_b', 0, 1, '# New'), '\uFEFF# New\n\na_b')
  t.equal(edit('\uFEFF# T\n\na_b', 0, 1), '\uFEFFa_b')
})

t.test('a text that starts with the character of a byte order mark keeps it', async t => {
  const doc = nodes.doc.create(null, nodes.paragraph.create(null, schema.text('\uFEFF# T')))
  t.equal(documentSurvives(doc), null)
})

t.test('a footnote is text, also where an edited block has it', async t => {
  const text = 'A claim[^1] of a\\*b.\n\n[^1]: Its *source*, http://a.b/c.\n'
  t.equal(serialize(withoutSource(parse(text))), text.trimEnd())
  t.equal(parse('[^1]: http://a.b').firstChild?.type, nodes.paragraph)
  t.match(serialize(withoutSource(parse('www.a.bc`)\n``[t][a] [^1]'))), /\\\[t\\\]\\\[a\\\] \[\^1\]$/)
})

t.test('what only looks like a footnote is no link', async t => {
  for (const text of ['\\[^1](u)', '\\[^1][a]\n\n[a]: /u', '[a [^1] b](u)', '![[^1]](u)', '[^1]\\[a](u)']) {
    t.equal(documentSurvives(withoutSource(parse(text))), null, text)
  }
})

const TABLE = '|A   |b\\|c|\n|:---|--:|\n|  x | 1 |\n|`y`| 2 |'

t.test('a changed table keeps the bytes of its other cells', async t => {
  const changed = (tables: string) => edit(`Before\n\n${TABLE}\n\nAfter`, 1, 1, tables)
  const cases: Array<readonly [change: string, table: string, expected?: string]> = [
    ['a row more', '|A|b\\|c|\n|:--|--:|\n|x|1|\n|new|\n|`y`|2|', TABLE.replace('|`y`', '| new |  |\n|`y`')],
    ['a row less', '|A|b\\|c|\n|:--|--:|\n|`y`|2|', '|A   |b\\|c|\n|:---|--:|\n|`y`| 2 |'],
    [
      'a column more',
      '|A|b\\|c|d|\n|:--|--:|--|\n|x|1||\n|`y`|2|*e*|',
      '|A   |b\\|c| d |\n|:---|--:| --- |\n|  x | 1 |  |\n|`y`| 2 | *e* |'
    ],
    ['a column less', '|b\\|c|\n|--:|\n|1|\n|2|', '|b\\|c|\n|--:|\n| 1 |\n| 2 |'],
    ['other alignments', '|A|b\\|c|\n|--|:-:|\n|x|1|\n|`y`|2|', TABLE.replace('|:---|--:|', '|----|:-:|')],
    ['other words', '|A|b\\|c|\n|:--|--:|\n|x|1|\n|`z`|22|', TABLE.replace('|`y`| 2 |', '| `z` | 22 |')],
    ['all other', '|p|q|\n|-|-|\n|r|s|', '| p | q |\n| --- | --- |\n| r | s |']
  ]
  for (const [change, table, expected] of cases) t.equal(changed(table), `Before\n\n${expected}\n\nAfter`, change)
})

t.test('rows without bars at their ends are kept, or written anew with a column more', async t => {
  const table = 'a | b\n--|--\nc | d'
  t.equal(edit(table, 0, 1, '|a|b|\n|-|-|\n|c|d|\n|e|f|'), `${table}\n| e | f |`)
  t.equal(edit(table, 0, 1, '|a|b|x|\n|-|-|-|\n|c|d|y|'), '| a | b | x |\n| --- | --- | --- |\n| c | d | y |')
  t.equal(edit(table, 0, 1, '|a|b|\n|-|-|\n|\\- x|d|'), '| a | b |\n| --- | --- |\n| - x | d |')
})

t.test('what begins a block elsewhere has no escape in a cell', async t => {
  for (const text of ['# a', '- a', '1. a', '> a', '+ a']) {
    t.equal(edit('|A|\n|-|\n|x|', 0, 1, `|A|\n|-|\n|x|\n|${text}|`), `|A|\n|-|\n|x|\n| ${text} |`)
  }
})
