import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import t from 'tap'
import { CHROMIUM, needsChromium } from '../../../test/runner/chromium.ts'
import { addPasting, paste } from './paste-page.ts'

const fixture = (name: string) => readFile(new URL(`clipboard/${name}`, import.meta.url), 'utf8')
/** With the number of addresses that are left out. */
const PROGRAMS = [
  ['google-docs', 0],
  ['word', 0],
  ['jira', 0],
  ['notion', 0],
  ['github', 0],
  ['web-page', 2]
] as const

t.test('what is pasted from other programs keeps its meaning', needsChromium, async t => {
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  await addPasting(page)
  for (const [name, addresses] of PROGRAMS) {
    const { markdown, leftOut } = await paste(page, '', await fixture(`${name}.html`))
    t.equal(`${markdown}\n`, await fixture(`${name}.md`), name)
    t.equal(leftOut, addresses, `addresses of ${name}`)
  }
})
