import fc from 'fast-check'
import t from 'tap'
import { parse, sourceParts, type NodeJson } from '../index.ts'
import { markdowns } from './generators.ts'
import { SEED } from '../../../test/runner/seed.ts'

/* In no generated text, and never part of markup. */
const WORD = 'qzxq'

/** True if a document has the word in text outside code. */
const saysWord = ({ type, text = '', attrs = {}, marks = [], content = [] }: NodeJson): boolean =>
  (type === 'text' && text.includes(WORD) && !marks.some(mark => mark.type === 'code')) ||
  (type === 'html_block' && String(attrs['html']).includes(WORD)) ||
  (type !== 'code_block' && content.some(saysWord))

t.test('of random texts, parts are in order and apart, and what is put into prose is read as text', t => {
  fc.assert(
    fc.property(markdowns, markdown => {
      let at = 0
      for (const { kind, start, end } of sourceParts(markdown)) {
        if (start < at || end <= start || end > markdown.length) throw new Error(`${start} to ${end} after ${at}`)
        at = end
        const middle = (start + end) >> 1
        if (kind !== 'prose' || !/[a-z]/i.test(markdown[middle - 1] ?? '')) continue
        const said = parse(markdown.slice(0, middle) + WORD + markdown.slice(middle)).toJSON() as NodeJson
        if (!saysWord(said)) throw new Error(`${JSON.stringify(markdown.slice(start, end))} is no prose`)
      }
    }),
    { numRuns: 2000, seed: SEED }
  )
  t.end()
})

t.test('parts of each kind, in lists, quotes, tables and HTML', t => {
  const markdown = [
    '> 1. - [ ] Go `x\\|` [label](http://u "t")<!-- c -->',
    '>   \\* https://a.example/1, <https://a.example/2> &amp; ![alt](v) <b> [d]',
    '',
    '| a\\|b | `c` d |',
    '|---|---|',
    '',
    '[d]: w',
    '',
    '<p>e <IMG src="1"> <pre>f',
    '</pre> g',
    '',
    '    h'
  ].join('\r\n')
  t.strictSame(
    sourceParts(markdown).map(({ kind, start, end }) => [kind, markdown.slice(start, end).trim()].join(' ').trim()),
    [
      ...['prose Go', 'code `x\\|`', 'prose [label', 'markup ](http://u "t")', 'comment <!-- c -->'],
      ...['markup \\*', 'address https://a.example/1', 'prose ,', 'address <https://a.example/2>'],
      ...['markup &amp;', 'markup ![alt](v)', 'markup <b>', 'markup [d]'],
      ...['prose a\\|b', 'code `c`', 'prose d', 'markup [d]: w'],
      ...['markup <p>', 'prose e', 'image <IMG src="1">', 'code <pre>f\r\n</pre>', 'prose g', 'code h']
    ]
  )
  t.end()
})
