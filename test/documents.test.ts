import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { hashOfInputs, INPUTS_FILE } from '../scripts/screenshot-inputs.ts'

const MAX_README_BYTES = 7_000
const MAX_PICTURE_BYTES = 100_000
const root = join(import.meta.dirname, '..')
const read = (page: string) => readFileSync(join(root, page), 'utf8')
const pages = globSync('{*.md,{bench,core,deploy,docs,examples,lib,plugins,test}/**/*.md}', {
  cwd: root,
  // Also without pages that are pasted into texts.
  exclude: ['**/guides/**', '**/node_modules/**', '**/clipboard/**', '.tap/**']
})

const withoutFences = (text: string) => text.replace(/^```.*?^```$/gms, '')
/** A page without code, in which brackets have another meaning. */
const proseOf = (text: string) => withoutFences(text).replace(/`[^`\n]+`/g, '')

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, title] of withoutFences(text).matchAll(/^#+ (.+)$/gm)) {
    const anchor = title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    let unique = anchor
    for (let n = 1; anchors.has(unique); n++) unique = `${anchor}-${n}`
    anchors.add(unique)
  }
  return anchors
}

function deadLinksIn(page: string, text: string): string[] {
  const targets = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  return targets.filter(target => {
    if (/^[a-z]+:/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : relative(root, join(root, dirname(page), path))
    if (file !== page && !existsSync(join(root, file))) return true
    return anchor !== undefined && !anchorsOf(file === page ? text : read(file)).has(anchor)
  })
}

t.test('a dead link and a dead anchor are found', async t => {
  const text =
    '# A title\n[a](#a-title) [b](#b) [c](README.md) [d](gone.md) [e](README.md#gone) [f](https://x.test) `[g](g)`'
  t.strictSame(deadLinksIn('page.md', text), ['#b', 'gone.md', 'README.md#gone'])
})

t.test('links between pages lead somewhere', async t => {
  t.ok(pages.length > 30)
  for (const page of pages) t.strictSame(deadLinksIn(page, read(page)), [], page)
})

t.test('the index names every page of docs/', async t => {
  const listed = new Set([...read('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name!))
  const there = globSync('*.md', { cwd: join(root, 'docs') }).filter(name => name !== 'README.md')
  t.strictSame([...listed].sort(), there.sort())
})

t.test('every page of docs/ begins with what it is for', async t => {
  for (const page of pages.filter(page => page.startsWith('docs/'))) {
    t.match(read(page), /^# .+\n\n[A-Z`*][^\n]{40,}/, page)
  }
})

t.test('every file that a page names is there', async t => {
  const NAMED = /`((?:bench|config|core|examples|lib|plugins|scripts|test)\/[a-z\d./-]+\.\w+)`/g
  for (const page of pages.filter(page => page !== 'CHANGELOG.md')) {
    const named = [...withoutFences(read(page)).matchAll(NAMED)].map(([, path]) => path!)
    const gone = named.filter(path => !existsSync(join(root, path)))
    t.strictSame(gone, [], page)
  }
})

t.test('core/README.md has every folder of the core', async t => {
  const folders = globSync('*/', { cwd: join(root, 'core') })
  t.ok(folders.length > 10)
  for (const folder of folders) t.match(read('core/README.md'), `| \`${folder.replace(/\/$/, '')}/\` |`, folder)
})

t.test('pictures are those of the present styles, and small', async t => {
  t.equal(read(INPUTS_FILE).trim(), hashOfInputs(root), 'they are stale: npm run screenshots makes them anew')
  const pictures = globSync('docs/images/*.webp', { cwd: root })
  t.ok(pictures.length > 2)
  for (const picture of pictures) t.ok(statSync(join(root, picture)).size <= MAX_PICTURE_BYTES, picture)
})

t.test('the README is short', async t => t.ok(Buffer.byteLength(read('README.md')) <= MAX_README_BYTES))
