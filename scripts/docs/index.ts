/*
 * `npm run docs [FOLDER]`: builds the documentation as a static site, in `out/help`, where the plugin `help` finds it:
 * the pages that docs/README.md lists, and a reference of the REST API. It refuses links that lead nowhere.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Eleventy from '@11ty/eleventy'
import { build } from 'esbuild'
import { readOptions } from '../read-options.ts'
import { apiPages } from './api.ts'
import { project, readContents } from './contents.ts'
import { imageAddress, makeRenderer, type Heading, type Section } from './markdown.ts'
import { readOpenApi } from './openapi.ts'

const { positionals } = readOptions('npm run docs [FOLDER]', { allowPositionals: true })
const out = resolve(positionals[0] ?? join(project, 'out/help'))
const SITE = 'scripts/docs/site'
const MAX_DESCRIPTION_CHARACTERS = 200

/** The page that the plugin `help` sends where there is none. */
const MISSING = {
  address: '404.html',
  title: 'There is no such page',
  html: '<h1>There is no such page</h1>\n<p>Search for it above, or begin with <a href="index.html">all pages</a>.</p>',
  sections: []
}

interface SitePage {
  address: string
  title: string
  html: string
  sections: Section[]
  headings: Heading[]
}
interface NavigationGroup {
  title: string
  pages: Array<{ title: string; address: string }>
}

/** Writes a file whose name has the digest of its content. @returns its address */
function writeAsset(name: string, ending: string, content: string): string {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const address = `assets/${name}-${digest}.${ending}`
  mkdirSync(join(out, 'assets'), { recursive: true })
  writeFileSync(join(out, address), content)
  return address
}

async function writeAssets(pages: readonly SitePage[]): Promise<{ style: string; script: string; index: string }> {
  const { outputFiles } = await build({
    entryPoints: ['search.ts', 'style.css'].map(name => join(project, SITE, name)),
    outdir: out,
    bundle: true,
    minify: true,
    write: false,
    format: 'iife'
  })
  const contentOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))!.text
  const sections = pages.flatMap(({ address, title, sections }) =>
    sections.map(({ id, text, level, content }) => [level === 1 ? address : `${address}#${id}`, title, text, content])
  )
  return {
    style: writeAsset('style', 'css', contentOf('.css')),
    script: writeAsset('search', 'js', contentOf('.js')),
    index: writeAsset('texts', 'json', JSON.stringify(sections))
  }
}

async function readPages(): Promise<{ pages: SitePage[]; navigation: NavigationGroup[]; files: string[] }> {
  const contents = readContents()
  const render = makeRenderer(contents)
  const files = new Set<string>()
  const pages = [...contents.pages.values()].map(page => {
    const rendered = render(page)
    rendered.files.forEach(file => files.add(file))
    const headings = rendered.headings.filter(({ level }) => level === 2)
    return { ...page, ...rendered, headings }
  })
  const reference = apiPages(await readOpenApi())
  const navigation = [...contents.groups, { title: 'REST API reference', pages: reference }]
  const others = [...reference, MISSING].map(page => ({ ...page, headings: [] }))
  return { pages: [...pages, ...others], navigation, files: [...files] }
}

/** The beginning of the first paragraph. */
const descriptionOf = ({ html }: SitePage): string =>
  html
    .slice(html.indexOf('<p>'), html.indexOf('</p>'))
    .split(/<[^<>]*>/)
    .join('')
    .replaceAll('"', '')
    .slice(0, MAX_DESCRIPTION_CHARACTERS)

rmSync(out, { recursive: true, force: true })
const { pages, navigation, files } = await readPages()
const assets = await writeAssets(pages)
for (const file of files) {
  const to = join(out, imageAddress(file))
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(join(project, file), to)
}
process.chdir(project)
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const eleventy = new Eleventy(SITE, relative(project, out), {
  quietMode: true,
  config(configuration) {
    configuration.setUseGitIgnore(false)
    configuration.setTemplateFormats(['html'])
    configuration.setLayoutsDirectory('layouts')
    for (const page of pages) {
      const { address, title, html, headings } = page
      const root = relative(dirname(address), '.') === '' ? '' : `${relative(dirname(address), '.')}/`
      configuration.addTemplate(join(SITE, address), html, {
        ...{ title, address, headings, root, navigation, assets, version },
        permalink: address,
        description: descriptionOf(page),
        layout: 'page.liquid',
        templateEngineOverride: 'html'
      })
    }
  }
})
await eleventy.write()
for (const file of globSync('**/*.{css,html,js,json}', { cwd: out })) {
  writeFileSync(join(out, `${file}.br`), brotliCompressSync(readFileSync(join(out, file))))
}
process.stdout.write(`Wrote ${pages.length} pages to ${relative(project, out)}\n`)
