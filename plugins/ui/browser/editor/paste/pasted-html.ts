/* Converts other programs' HTML on the clipboard to the form that the schema reads. */

const MARKUP =
  'a[href], b, strong, i, em, s, del, strike, code, kbd, pre, h1, h2, h3, h4, h5, h6, ul, ol, li, table, blockquote, ' +
  'hr, img, input, [data-style*="mso-list"]'
const STYLED = '[data-style*="font-weight"], [data-style*="font-style"], [data-style*="line-through"]'
/** HTML of code editors: coloured text with significant white space. */
const OF_CODE = /white-space:\s*pre/i

/** HTML with styles and handlers as data: the page's Content-Security-Policy reports them, in every document. */
export const withStylesAsData = (html: string): string =>
  html
    .replaceAll(/<(\/?)style\b/gi, '<$1template')
    .replaceAll(/<[a-z][^>]*>/gi, tag => tag.replaceAll(/(?<=[\s/"'])(style|on[a-z]+)(?=\s*=)/gi, 'data-$1'))

const styleOf = (element: Element | null): string => element?.getAttribute('data-style') ?? ''

/** The text of a page without markup, which may be Markdown; undefined with markup. */
export function plainTextOf({ body }: Document): string | undefined {
  if (body.querySelector(MARKUP)) return undefined
  const isCode = OF_CODE.test(styleOf(body.firstElementChild))
  if (!isCode && body.querySelector(STYLED)) return undefined
  return textOf(body, isCode).trimEnd().replace(/^\n+/, '')
}

function textOf(element: Element, isCode: boolean): string {
  const parts = [...element.childNodes].map(node => {
    if (node instanceof HTMLBRElement) return '\n'
    if (node instanceof Element) return textOf(node, isCode)
    if (!(node instanceof Text)) return ''
    return isCode ? node.data.replaceAll('\u00a0', ' ') : node.data.replaceAll(/[ \t\r\n]+/g, ' ')
  })
  const text = parts.join('')
  if (element instanceof HTMLParagraphElement) return `\n${text.trim()}\n`
  return element instanceof HTMLDivElement ? `${text.replace(/\n$/, '')}\n` : text
}

/** @returns HTML with elements instead of styles, and lists and tables that Markdown has */
export function cleanHtml({ body }: Document): string {
  for (const element of body.querySelectorAll(UNREAD)) element.remove()
  for (const element of body.querySelectorAll(BLOCKS_TO_US)) rename(element, 'div')
  for (const code of body.querySelectorAll('pre')) nameLanguage(code)
  makeLists(body)
  makeTasks(body)
  for (const element of body.querySelectorAll('[data-style]')) readStyle(element)
  for (const table of body.querySelectorAll('table')) {
    if (table.textContent.trim() === '' && !table.querySelector('img, input')) table.remove()
    else if (!table.parentElement?.closest('table')) makeGrid(table)
  }
  for (const part of body.querySelectorAll('p')) if (isEmpty(part)) part.remove()
  return body.innerHTML
}
const UNREAD = 'template, xml, meta, link, title, script, noscript, iframe, object, br.Apple-interchange-newline'
/** Elements that begin a line, which the editor's library does not know. */
const BLOCKS_TO_US = 'details, summary, dt, main, nav, legend, center, option, search, hgroup, menu, dir, button, label'

function rename(element: Element, tag: string): void {
  const renamed = make(element, tag)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
}

/** The language of code, as Jira, Confluence, GitHub and other pages write it: for the class that Markdown has. */
function nameLanguage(pre: Element): void {
  const code = pre.querySelector('code')
  const classes = [code, pre, pre.parentElement].map(element => element?.className ?? '').join(' ')
  const [, byClass] = /(?:^|\s)(?:lang(?:uage)?-|code-|highlight-source-|brush:\s*)([\w+#.-]+)/i.exec(classes) ?? []
  const language =
    pre.getAttribute('data-language') ?? (byClass === 'wrap' || byClass === 'block' ? undefined : byClass)
  // Pages put lines into elements, with their numbers in tables.
  if (pre.querySelector(BLOCKS)) pre.textContent = linesOf(pre).replace(/\n$/, '')
  const named = make(pre, 'code')
  code?.replaceWith(...code.childNodes)
  named.append(...pre.childNodes)
  if (language !== undefined) named.className = `language-${language.toLowerCase()}`
  pre.replaceChildren(named)
}

const linesOf = (element: Element): string =>
  [...element.childNodes]
    .map(node => {
      if (node instanceof HTMLBRElement) return '\n'
      if (!(node instanceof Element)) return node.textContent ?? ''
      const text = linesOf(node)
      if (/^T[DH]$/.test(node.tagName)) return `${text} `
      return OF_LINE.test(node.tagName) && !text.endsWith('\n') ? `${text}\n` : text
    })
    .join('')

const BOX = /^\s*\[([ xX])\]\s+/
/** Tasks as Notion and Jira write them. */
function makeTasks(body: HTMLElement): void {
  for (const list of body.querySelectorAll('[data-task-list-local-id]')) rename(list, 'ul')
  for (const task of body.querySelectorAll('[data-task-state]')) {
    const item = make(task, 'li')
    item.dataset['checked'] = String(task.getAttribute('data-task-state') === 'DONE')
    item.append(...task.childNodes)
    task.replaceWith(item)
  }
  for (const box of body.querySelectorAll('li > .checkbox')) {
    box.closest('li')!.dataset['checked'] = String(box.classList.contains('checkbox-on'))
    if (box.textContent.trim() === '') box.remove()
  }
  for (const item of body.querySelectorAll('li')) {
    const first = body.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode() as Text | null
    const [box, mark] = BOX.exec(first?.data ?? '') ?? []
    if (first && box !== undefined && first.parentElement?.closest('li') === item) {
      first.data = first.data.slice(box.length)
      item.dataset['checked'] = String(mark !== ' ')
    }
  }
}

/**
 * The elements that styles correspond to, and styles that contradict elements: Google Docs wraps everything in a plain
 * `b`.
 */
const STYLES = [
  {
    tag: 'strong',
    is: /font-weight:\s*(?:bold|[6-9]00)/i,
    names: 'b, strong',
    isNot: /font-weight:\s*(?:normal|[1-4]00)/i
  },
  { tag: 'em', is: /font-style:\s*(?:italic|oblique)/i, names: 'i, em', isNot: /font-style:\s*normal/i },
  {
    tag: 'code',
    is: /font-family:[^;]*(?:monospace|courier|consolas|menlo|monaco|roboto mono)/i,
    names: 'code, pre, kbd, samp, tt',
    isNot: /^$/
  },
  { tag: 's', is: /text-decoration(?:-line)?:[^;]*line-through/i, names: 's, del', isNot: /text-decoration:\s*none/i }
]
function readStyle(element: Element): void {
  const style = styleOf(element)
  const [, align] = /text-align:\s*(left|center|right)/i.exec(style) ?? []
  if (align !== undefined) element.setAttribute('align', align.toLowerCase())
  for (const { tag, is, names, isNot } of STYLES) {
    if (element.matches(names)) {
      if (isNot.test(style)) element.replaceWith(...element.childNodes)
    } else if (is.test(style) && !element.matches('h1, h2, h3, h4, h5, h6, th')) {
      const inside = make(element, tag)
      inside.append(...element.childNodes)
      element.append(inside)
    }
  }
}

/** Word's empty paragraphs have a non-breaking space. */
const isEmpty = (element: Element) => element.textContent.trim() === '' && !element.querySelector('img, input, br')

const make = (body: Element, tag: string): HTMLElement => body.ownerDocument.createElement(tag)

/** In Word's lists each item is a paragraph, with its level in the style, and its marker as text. */
function makeLists(body: HTMLElement): void {
  /** The open lists, one for each level. */
  let lists: HTMLElement[] = []
  for (const paragraph of body.querySelectorAll('p[data-style*="mso-list"]')) {
    const level = Number(/mso-list:[^;]*level(\d)/.exec(styleOf(paragraph))?.[1] ?? 1)
    const ignored = paragraph.querySelector('[data-style*="mso-list:Ignore"]')
    const [, start] = /^\(?([\p{L}\d]{1,4})[.)]/u.exec(ignored?.textContent.trim() ?? '') ?? []
    const tag = start === undefined ? 'ul' : 'ol'
    ignored?.remove()
    if (paragraph.previousElementSibling !== lists[0]) lists = []
    lists.length = Math.min(lists.length, lists[level - 1]?.localName === tag ? level : level - 1)
    while (lists.length < level) {
      const list = make(body, tag)
      if (Number(start) > 1) list.setAttribute('start', start!)
      const outer = lists.at(-1)
      if (outer) (outer.lastElementChild ?? outer.appendChild(make(body, 'li'))).append(list)
      else paragraph.before(list)
      lists.push(list)
    }
    const item = make(body, 'li')
    item.append(...paragraph.childNodes)
    lists.at(-1)!.append(item)
    paragraph.remove()
  }
}

/** Splits spanning cells, and makes each cell one line of text. */
function makeGrid(table: HTMLTableElement): void {
  if (table.caption) {
    const paragraph = make(table, 'p')
    paragraph.append(...table.caption.childNodes)
    table.before(paragraph)
    table.deleteCaption()
  }
  /** The number of further rows in which a cell from above covers each column. */
  const covered: number[] = []
  for (const row of table.rows) {
    let column = 0
    const skip = (add: (empty: HTMLElement) => void) => {
      for (; (covered[column] ?? 0) > 0; column++) {
        covered[column]!--
        add(make(table, 'td'))
      }
    }
    for (const cell of [...row.cells]) {
      skip(empty => cell.before(empty))
      const width = Math.min(cell.colSpan, MAX_SPAN)
      for (let n = 0; n < width; n++) covered[column++] = cell.rowSpan - 1
      cell.after(...Array.from({ length: width - 1 }, () => make(table, 'td')))
      makeLine(cell)
    }
    skip(empty => row.append(empty))
  }
}
const MAX_SPAN = 50

const BLOCKS =
  'p, div, h1, h2, h3, h4, h5, h6, li, pre, blockquote, ul, ol, table, tbody, thead, tfoot, tr, td, th, hr, dl, dd, ' +
  'article, section, header, footer, aside, figure, figcaption, address, form, fieldset'
const OF_LINE = /^(?:P|DIV|H\d|LI|PRE|TR|DD|ARTICLE|SECTION|HEADER|FOOTER|ASIDE|FIGURE|FIGCAPTION|ADDRESS|BLOCKQUOTE)$/

/** Puts breaks between the lines of a cell. */
function makeLine(cell: HTMLElement): void {
  if (isEmpty(cell)) return cell.replaceChildren()
  for (const block of cell.querySelectorAll(BLOCKS)) {
    if (block.localName === 'li') block.prepend('• ')
    if (OF_LINE.test(block.tagName)) block.append(make(cell, 'br'))
    if (block.localName === 'td' || block.localName === 'th') block.append(' ')
    block.replaceWith(...block.childNodes)
  }
  cell.normalize()
  for (const lineEnd of cell.querySelectorAll('br')) {
    const next = lineEnd.nextSibling
    const after = next instanceof Text && next.data.trim() === '' ? next.nextSibling : next
    if (!after || after instanceof HTMLBRElement) lineEnd.remove()
  }
}
