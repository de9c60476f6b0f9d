import fc from 'fast-check'
import { chromium } from 'playwright-core'
import t from 'tap'
import { limits, parse } from '../../../lib/rich-text/index.ts'
import { CHROMIUM, needsChromium } from '../../../test/runner/chromium.ts'
import { addPasting, paste, type Pasted } from './paste-page.ts'
import { SEED } from '../../../test/runner/seed.ts'

const PASTES = Number(process.env['PASTES'] ?? 200)

let words = 0
const word = fc
  .constantFrom('w', 'ä', '語', '*', '`', '|', '# ', '- ', '1. ', '<', '&amp;', '[x](', '~~', '_')
  .map(mark => `${mark.replace('<', '&lt;')}q${words++}z`)
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map(all => all.join(' '))
const style = fc.constantFrom(
  '',
  ' style="font-weight:700"',
  ' style="font-style:italic;color:red"',
  ' style="font-family:Consolas;white-space:pre"',
  ' style="text-decoration:line-through"',
  ' style="mso-list:l0 level2 lfo1"',
  ' class="checkbox checkbox-on"',
  ' align="right" onclick="window.ran = true"',
  ' data-task-state="DONE"'
)
const address = fc.constantFrom(
  'https://example.org/a b',
  '/relative',
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'vbscript:x',
  'data:text/html,<script>',
  'file:///etc/passwd',
  'http://[',
  'mailto:a@example.org',
  '#part'
)
const INLINE = [
  'b',
  'i',
  'span',
  'code',
  's',
  'u',
  'sub',
  'kbd',
  'mark',
  'font',
  'em',
  'strong',
  'label',
  'button',
  'q'
]
const BLOCKS = [
  ...[
    'p',
    'div',
    'h1',
    'h4',
    'blockquote',
    'pre',
    'section',
    'details',
    'summary',
    'dl',
    'dt',
    'dd',
    'figure',
    'center'
  ],
  ...['article', 'form', 'aside', 'address', 'main', 'fieldset', 'legend', 'figcaption', 'header', 'nav', 'hgroup']
]
const { html } = fc.letrec<{ inline: string; block: string; html: string }>(tie => ({
  inline: fc.oneof(
    { maxDepth: 4 },
    text,
    fc
      .tuple(fc.constantFrom(...INLINE), style, fc.array(tie('inline'), { maxLength: 3 }))
      .map(([tag, attributes, inside]) => `<${tag}${attributes}>${inside.join(' ')}</${tag}>`),
    fc.tuple(address, tie('inline')).map(([href, inside]) => `<a href="${href}">${inside}</a>`),
    fc
      .tuple(address, text)
      .map(([src, alt]) => `<img src="${src}" alt="${alt.replaceAll('"', '')}" onerror="ran = true">`),
    fc.constantFrom('<br>', '&nbsp;', '<input type="checkbox" checked>', '<wbr>', '<script>window.ran = true</script>')
  ),
  block: fc.oneof(
    { maxDepth: 4 },
    tie('inline'),
    fc
      .tuple(fc.constantFrom(...BLOCKS), style, fc.array(tie('block'), { maxLength: 3 }))
      .map(([tag, attributes, inside]) => `<${tag}${attributes}>${inside.join('\n')}</${tag}>`),
    fc
      .tuple(fc.constantFrom('ul', 'ol start="3"', 'ol'), fc.array(fc.tuple(style, tie('block')), { maxLength: 4 }))
      .map(([tag, items]) => `<${tag}>${items.map(itemOf).join('')}</${tag.slice(0, 2)}>`),
    fc
      .array(fc.array(fc.tuple(fc.constantFrom('td', 'th', 'td colspan="2"', 'td rowspan="3"'), tie('block'))), {
        maxLength: 3
      })
      .map(rows => `<table>${rows.map(cells => `<tr>${cells.map(cellOf).join('')}</tr>`).join('')}</table>`)
  ),
  html: fc.array(tie('block'), { minLength: 1, maxLength: 4 }).map(blocks => blocks.join(''))
}))
const itemOf = ([attributes, inside]: [string, string]) => `<li${attributes}>${inside}</li>`
const cellOf = ([tag, inside]: [string, string]) => `<${tag}>${inside}</${tag.slice(0, 2)}>`
const BEFORE = [
  '',
  'Before',
  '- [ ] a',
  '| A |\n| --- |\n| x |',
  '```\ncode\n```',
  '> quoted',
  '# Title',
  '1. one\n   - two'
]

/** Addresses that no stored text may have. */
const DANGEROUS = /^\s*(?:java\s*script|vbscript|file|data:(?!image\/(?:gif|png|jpeg|webp);))/i
const namesOf = (text: string): string[] => text.match(/q\d+z/g) ?? []

/** The problem of a paste; undefined: none. */
function problemOf({ markdown, visible }: Pasted): string | undefined {
  const doc = parse(markdown)
  if (markdown.length > limits.bytes) return 'it is too large'
  const addresses: string[] = []
  let stored = ''
  doc.descendants(({ type, text, attrs, marks }) => {
    stored += text ?? ` ${String(attrs['alt'] ?? attrs['html'] ?? '')} `
    if (type.name === 'image') addresses.push(String(attrs['src']))
    for (const mark of marks) if (mark.type.name === 'link') addresses.push(String(mark.attrs['href']))
  })
  const dangerous = addresses.find(address => DANGEROUS.test(address))
  if (dangerous !== undefined) return `it has the address ${dangerous}`
  const storedNames = new Set(namesOf(stored))
  const lost = namesOf(visible).filter(name => !storedNames.has(name))
  return lost.length > 0 ? `it has lost ${lost.join(', ')}` : undefined
}

t.test('no pasted HTML fails to be saved, loses a word, or brings a dangerous address', needsChromium, async t => {
  t.setTimeout(0)
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  await addPasting(page)
  const holds = fc.asyncProperty(fc.constantFrom(...BEFORE), html, async (before, html) => {
    const pasted = await paste(page, before, html)
    const problem = problemOf(pasted)
    if (problem) throw new Error(`${problem}: ${pasted.markdown}`)
  })
  await fc.assert(holds, { numRuns: PASTES, seed: SEED })
  t.strictSame(errors, [])
  t.notOk(await page.evaluate('window.ran'), 'nothing of it runs')
})

t.test('unfinished tags are pasted in linear time', { ...needsChromium, timeout: 120_000 }, async t => {
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  await addPasting(page)
  const { markdown } = await paste(page, 'a', `<p>words</p>${'<a b="'.repeat(300_000)}`)
  t.match(markdown, 'words')
})
