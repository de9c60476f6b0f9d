import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const project = fileURLToPath(new URL('../..', import.meta.url))
export const readText = (file: string): string => readFileSync(join(project, file), 'utf8')

/** A page of the site. */
export interface Page {
  /** The file that it is made of, from the project: `docs/claims.md`. */
  file: string
  /** Its address, from the root of the site: `claims.html`. */
  address: string
  title: string
}
export interface Group {
  title: string
  pages: Page[]
}
export interface Contents {
  /** The navigation, in its order. */
  groups: Group[]
  /** All pages, also those that only other pages lead to, by file. */
  pages: ReadonlyMap<string, Page>
}

const INDEX = 'docs/README.md'
/** Pages beside the index, which names them in a sentence. */
const FIRST = ['README.md', INDEX]
const LISTED = /^\| \[([^\]]+)\]\(([^)]+\.md)\) \|/gm

export const headingOf = (text: string): string => /^# (.+)$/m.exec(text)![1]!

/** The pages that docs/README.md lists, in its groups, and those beside them that are listed by their own index. */
export function readContents(): Contents {
  const [, ...sections] = readText(INDEX).split(/^## /m)
  const groups = sections.map(section => ({
    title: section.slice(0, section.indexOf('\n')),
    pages: [...section.matchAll(LISTED)].map(([, name, target]) => pageOf(join(dirname(INDEX), target!), name))
  }))
  groups.unshift({ title: 'Start', pages: FIRST.map(file => pageOf(file)) })
  const listed = groups.flatMap(({ pages }) => pages)
  const others = globSync('docs/*/*.md', { cwd: project })
    .sort()
    .map(file => pageOf(file))
  const pages = new Map(others.concat(listed).map(page => [page.file, page]))
  const addresses = new Set([...pages.values()].map(({ address }) => address))
  if (addresses.size !== pages.size) throw new Error('Two pages of the documentation have the same address.')
  return { groups, pages }
}

/** @param name in the index, where it may be that of the file */
function pageOf(file: string, name = file): Page {
  return { file, address: addressOf(file), title: name.endsWith('.md') ? headingOf(readText(file)) : name }
}

/** `docs/claims.md` is `claims.html`, `plugins/README.md` is `plugins.html`; the index is the first page. */
function addressOf(file: string): string {
  if (file === INDEX) return 'index.html'
  if (file === 'SECURITY.md') return 'security-policy.html'
  const path = file.replace(/^docs\//, '').replace(/\.md$/, '')
  const named = basename(path) === 'README' && path !== 'README' ? dirname(path) : path
  return `${named.toLowerCase()}.html`
}
