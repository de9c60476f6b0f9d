import { build, stop } from 'esbuild'
import { chromium } from 'playwright-core'
import type { AttributeSpec } from 'prosemirror-model'
import t from 'tap'
import { CHROMIUM, needsChromium } from '../../../test/runner/chromium.ts'
import { schema } from '../schema.ts'

/** Values of all attributes, different from the defaults. A new attribute needs its own here. */
const VALUES: Record<string, unknown> = {
  'heading.level': 3,
  'code_block.params': 'ts title="a"',
  'ordered_list.tight': false,
  'ordered_list.order': 7,
  'ordered_list.delimiter': ')',
  'bullet_list.tight': false,
  'bullet_list.bullet': '*',
  'list_item.checked': true,
  'table_header.align': 'right',
  'table_cell.align': 'center',
  'html_block.html': '<details>\n<summary>"More" & more</summary>',
  'link_definition.markdown': '[a]: https://example.org "title"',
  'image.src': 'https://example.org/a.png',
  'image.alt': 'a "chart"',
  'image.title': 'of it',
  'html_inline.html': '<kbd class="a">',
  'em.depth': 1,
  'em.run': 1,
  'em.delimiter': '_',
  'strong.depth': 2,
  'strong.run': 1,
  'strong.delimiter': '_',
  'strike.depth': 1,
  'strike.run': 1,
  'link.depth': 1,
  'link.run': 1,
  'link.href': '/x?a=1&b=2',
  'link.title': 'of "it"',
  'link.auto': 'angle'
}
/** Never copied: the clipboard has a part of a document. */
const NOT_COPIED = new Set(['doc', 'text'])

function attrsOf(name: string, attrs: Record<string, AttributeSpec> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.keys(attrs).map(key => [key, VALUES[`${name}.${key}`]]))
}

/** A document with only this type, with the content that it requires. */
function documentWith(name: string): object {
  const mark = schema.marks[name]
  if (mark) {
    const text = schema.text('marked', [mark.create(attrsOf(name, mark.spec.attrs))])
    return schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, [schema.text('not '), text])).toJSON()
  }
  const type = schema.nodes[name]!
  const attrs = attrsOf(name, type.spec.attrs)
  const node = type.inlineContent ? type.create(attrs, schema.text('text')) : type.createAndFill(attrs)!
  const around = schema.nodes.doc.contentMatch.findWrapping(type) ?? []
  const wrapped = around.reduceRight((inside, outer) => outer.create(null, inside), node)
  return schema.nodes.doc.create(null, type.isInline ? schema.nodes.paragraph.create(null, node) : wrapped).toJSON()
}

/** In a page: the document after copying and pasting in an editor. */
const COPY = `
  import { DOMParser, DOMSerializer, Node } from 'prosemirror-model'
  import { schema } from './lib/rich-text/schema.ts'
  globalThis.copy = json => {
    const element = document.createElement('div')
    element.append(DOMSerializer.fromSchema(schema).serializeFragment(Node.fromJSON(schema, json).content))
    return read(element.innerHTML)
  }
  globalThis.read = html => {
    const pasted = document.createElement('div')
    pasted.innerHTML = html
    return DOMParser.fromSchema(schema).parse(pasted, { preserveWhitespace: true }).toJSON()
  }`

t.test('what is copied keeps all attributes of all nodes and marks', needsChromium, async t => {
  const { outputFiles } = await build({
    stdin: { contents: COPY, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    write: false,
    tsconfigRaw: {}
  })
  await stop()
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  await page.addScriptTag({ content: outputFiles[0]!.text })
  for (const name of [...Object.keys(schema.nodes), ...Object.keys(schema.marks)]) {
    if (NOT_COPIED.has(name)) continue
    const json = documentWith(name)
    const copied = await page.evaluate<object>(`copy(${JSON.stringify(json)})`)
    t.strictSame(copied, JSON.parse(JSON.stringify(json)), name)
  }
  const known = [...Object.entries(schema.nodes), ...Object.entries(schema.marks)]
    .filter(([name]) => !NOT_COPIED.has(name))
    .flatMap(([name, { spec }]) => Object.keys(spec.attrs ?? {}).map(key => `${name}.${key}`))
  t.strictSame(known.sort(), Object.keys(VALUES).sort(), 'all attributes are tested')

  await t.test('attributes that nothing here has written are not believed', async t => {
    const html = '<ol data-rich-text="ordered_list" data-attrs=\'{"order":-3}\' start="-3"><li>a</li></ol>'
    const read = await page.evaluate<{ content: Array<{ attrs: { order: number } }> }>(`read(${JSON.stringify(html)})`)
    t.equal(read.content[0]!.attrs.order, 1)
  })
})
