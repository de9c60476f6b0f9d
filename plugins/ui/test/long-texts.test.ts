import t from 'tap'
import { wordAt } from '../browser/editor/completion/word.ts'
import { displayDocument } from '../browser/rich-text/display-document.ts'

/** As many as a text of the maximum length may have: in quadratic time, the tests would run for minutes. */
const TIMES = 250_000

t.test('beginnings of footnotes are displayed as they are', async t => {
  const text = '[^'.repeat(TIMES)
  const content = [{ type: 'paragraph', content: [{ type: 'text', text }] }]
  t.strictSame(displayDocument({ type: 'doc', content }).blocks, content)
})

t.test('an address is not completed', async t => {
  t.equal(wordAt(`${'www.'.repeat(TIMES)}@ada`, 0, []), undefined)
})
