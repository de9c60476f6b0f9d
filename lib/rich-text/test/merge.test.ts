import t from 'tap'
import { mergeLines } from '../conversion/merge.ts'

const base = 'one\ntwo\nthree\nfour'
const merged = (mine: string, theirs: string) => mergeLines(base, mine, theirs)

t.test('changes of different lines are merged, also of lines beside each other', t => {
  t.strictSame(merged('ONE\ntwo\nthree\nfour', 'one\ntwo\nthree\nFOUR'), { text: 'ONE\ntwo\nthree\nFOUR' })
  t.strictSame(merged('one\nTWO\nthree\nfour', 'one\ntwo\nTHREE\nfour'), { text: 'one\nTWO\nTHREE\nfour' })
  t.strictSame(merged('one\nfour', 'one\ntwo\nthree\nfour\nfive'), { text: 'one\nfour\nfive' })
  t.strictSame(merged('zero\none\ntwo\nthree\nfour', base), { text: 'zero\none\ntwo\nthree\nfour' })
  t.strictSame(merged('one\nsame\nthree\nfour', 'one\nsame\nthree\nfour'), { text: 'one\nsame\nthree\nfour' })
  t.strictSame(merged('one\ntwo', base.replaceAll('\n', '\r\n')), { text: 'one\r\ntwo' }, 'line ends stay')
  t.strictSame(
    mergeLines('a\r\nb\nc\r\nd\n', 'A\r\nb\nc\r\nd\n', 'a\r\nb\nc\r\nD\nlast'),
    { text: 'A\r\nb\nc\r\nD\nlast' },
    'also if they differ'
  )
  t.end()
})

t.test('different changes of the same lines, or beside an insertion, conflict', t => {
  t.strictSame(merged('one\nmine\nthree\nfour', 'one\ntheirs\nthree\nfour'), {
    conflicts: [{ base: 'two', mine: 'mine', theirs: 'theirs' }]
  })
  t.match(merged(`${base}\nmine`, `${base}\ntheirs`), { conflicts: [{ mine: 'mine', theirs: 'theirs' }] })
  t.match(merged(`${base}\nmine`, 'theirs'), { conflicts: [{ base, mine: `${base}\nmine`, theirs: 'theirs' }] })
  t.match(merged('one\nmine\nfour', 'one\ntwo\ntheirs\nfour'), { conflicts: [{ base: 'two\nthree' }] })
  t.end()
})

t.test('many equal lines, and texts without a common line, take a moment at most', t => {
  const between = (first: string, last: string) => `${first}${'\n'.repeat(500_000)}${last}`
  t.ok('text' in mergeLines(between('a', 'z'), between('a', 'mine'), between('theirs', 'z')))
  const lines = (name: string) => Array.from({ length: 20_000 }, (_, n) => `${name} ${n}`).join('\n')
  t.match(mergeLines(lines('a'), lines('b'), lines('c')), { conflicts: [{}] })
  t.end()
})
