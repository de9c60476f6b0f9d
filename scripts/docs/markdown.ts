import { dirname, join, relative } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
import { readText, type Contents, type Page } from './contents.ts'

export interface Heading {
  id: string
  text: string
  level: number
}
/** A part of a page that search finds: a heading with the text below it. */
export interface Section extends Heading {
  content: string
}

/** The text of a token, as it is displayed. */
export function textOf({ type, content, children }: Token): string {
  if (type !== 'inline' || !children) return content
  const texts = children.map(child =>
    child.type === 'softbreak' ? ' ' : child.type === 'html_inline' ? '' : child.content
  )
  return texts.join('')
}

/** Gives each heading the id that GitHub gives it, so that the same links lead to it. */
function nameHeadings(tokens: readonly Token[]): Heading[] {
  const headings: Heading[] = []
  for (const [n, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const text = textOf(tokens[n + 1]!)
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const isTaken = (id: string) => headings.some(heading => heading.id === id)
    let id = slug
    for (let count = 1; isTaken(id); count++) id = `${slug}-${count}`
    token.attrSet('id', id)
    headings.push({ id, text, level: Number(token.tag.slice(1)) })
  }
  return headings
}

/** The sections of a page: where `tokens` have ids. */
function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const sections = headings.map(heading => ({ ...heading, content: '' }))
  let n = -1
  for (const [place, token] of tokens.entries()) {
    if (token.type === 'heading_open') n++
    else if (tokens[place - 1]?.type === 'heading_open') continue
    else if (sections[n] && ['inline', 'fence', 'code_block'].includes(token.type)) {
      sections[n]!.content += `${textOf(token)}\n`
    }
  }
  return sections
}

export interface Rendered {
  html: string
  headings: Heading[]
  sections: Section[]
  /** Files that it shows, such as images: from the project. */
  files: string[]
}

/**
 * Renders the pages, whose links between each other become links of the site.
 * @returns a function that throws for a link to a heading that is not there
 */
export function makeRenderer({ pages }: Contents): (page: Page) => Rendered {
  // The pages are the project's own: the little HTML in them is theirs.
  const markdown = new MarkdownIt({ html: true })
  const headingsOf = new Map<string, Heading[]>()
  const readHeadings = (file: string): Heading[] => {
    const known = headingsOf.get(file) ?? nameHeadings(markdown.parse(readText(file), {}))
    headingsOf.set(file, known)
    return known
  }

  /**
   * The address of what a page links to; undefined for a file that is not on the site. test/documents.test.ts finds
   * those that are not there.
   */
  function resolve(page: Page, target: string, shown: string[]): string | undefined {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page.file : join(dirname(page.file), decodeURI(path))
    const to = pages.get(file)
    if (to && anchor !== undefined && !readHeadings(file).some(({ id }) => id === anchor)) {
      throw new Error(`${page.file}: ${target} is no heading of ${file}.`)
    }
    if (/\.(?:webp|svg)$/.test(file)) shown.push(file)
    else if (!to) return undefined
    const address = to?.address ?? imageAddress(file)
    return relative(dirname(page.address), address) + (anchor === undefined ? '' : `#${anchor}`)
  }

  return function render(page) {
    const tokens = markdown.parse(readText(page.file).replaceAll(/<!--.*?-->\n?/gs, ''), {})
    const headings = nameHeadings(tokens)
    const files: string[] = []
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      for (const name of ['href', 'src']) {
        const target = token.attrGet(name)
        if (typeof target !== 'string' || /^[a-z]+:/.test(target)) continue
        const address = resolve(page, target, files)
        if (address !== undefined) token.attrSet(name, address)
        else token.attrs = null
      }
    }
    const html = makeScrollable(markdown.renderer.render(tokens, markdown.options, {}))
    return { html, headings, sections: sectionsOf(tokens, headings), files }
  }
}

/** The address of an image of the project. */
export const imageAddress = (file: string): string => file.replace(/^docs\//, '')

/** On a phone, tables and code are wider than the page: they scroll by themselves, also with the keyboard. */
export const makeScrollable = (html: string): string =>
  html
    .replaceAll('<table>', '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')

/** Renders a short text without links to pages, such as a description in the API. */
const short = new MarkdownIt()
export const renderShort = (text: string): string => short.render(text)
export const renderInline = (text: string): string => short.renderInline(text)
export const escapeHtml = (text: string): string => short.utils.escapeHtml(text)
