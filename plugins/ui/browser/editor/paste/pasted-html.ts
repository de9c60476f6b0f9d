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
    .replaceAll(TAG, tag => tag.replaceAll(NAME, (part, name?: string) => (name ? `data-${name}` : part)))

/** Values in quotes may have any characters. */
const TAG = /<[a-z][^<>=]*(?:=(?:\s*"[^"]*"|\s*'[^']*'|(?!\s*"[^"]*"|\s*'[^']*'))[^<>=]*)*>/gi
const NAME = /=\s*"[^"]*"|=\s*'[^']*'|(?<=[\s/"'])(style|on[a-z]+)(?=\s*=)/gi

const styleOf = (element: Element | null): string => element?.getAttribute('data-style') ?? ''

/** Undefined for a page with markup. */
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

export function cleanHtml({ body }: Document): string {
  for (const element of body.querySelectorAll(IGNORED)) element.remove()
  for (const element of body.querySelectorAll(UNKNOWN_BLOCKS)) rename(element, 'div')
  for (const code of body.querySelectorAll('pre')) nameLanguage(code)
  for (const alert of body.querySelectorAll('.markdown-alert')) makeCallout(alert)
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
const IGNORED =
  'template, xml, meta, link, title, script, noscript, iframe, object, br.Apple-interchange-newline, ' +
  // Google's, of a task.
  'img[aria-roledescription=checkbox]'
const UNKNOWN_BLOCKS =
  'details, summary, dt, main, nav, legend, center, option, search, hgroup, menu, dir, button, label'

function rename(element: Element, tag: string): void {
  const renamed = make(element, tag)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
}

/** As Jira, Confluence, GitHub and other pages name it. */
function nameLanguage(pre: Element): void {
  const code = pre.querySelector('code')
  const classes = [code, pre, pre.parentElement].map(element => element?.className ?? '').join(' ')
  const [, byClass] = /(?:^|\s)(?:lang(?:uage)?-|code-|highlight-source-|brush:\s*)([\w+#.-]+)/i.exec(classes) ?? []
  const byData = pre.closest('[data-language]')?.getAttribute('data-language')
  const language = byData ?? (byClass === 'wrap' || byClass === 'block' ? undefined : byClass)
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

function makeCallout(alert: Element): void {
  const [, kind] = /markdown-alert-(note|tip|important|warning|caution)\b/.exec(alert.className) ?? []
  const title = alert.querySelector(':scope > .markdown-alert-title')
  if (kind !== undefined && title) title.textContent = `[!${kind.toUpperCase()}]`
  rename(alert, 'blockquote')
}

const BOX = /^\s*(?:\[[ xX]\]|[☐☑☒])\s+/
const isTicked = (mark: string): boolean => /[xX☑☒]/.test(mark)
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
    const [box] = BOX.exec(first?.data ?? '') ?? []
    if (first && box !== undefined && first.parentElement?.closest('li') === item) {
      first.data = first.data.slice(box.length)
      item.dataset['checked'] = String(isTicked(box))
    }
  }
}

/** Google Docs wraps everything in a plain `b`. */
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
  let lists: HTMLElement[] = []
  for (const paragraph of body.querySelectorAll('p[data-style*="mso-list"]')) {
    const level = Number(/mso-list:[^;]*level(\d)/.exec(styleOf(paragraph))?.[1] ?? 1)
    const ignored = paragraph.querySelector('[data-style*="mso-list:Ignore"]')
    const marker = ignored?.textContent.trim() ?? ''
    const [, start] = /^\(?([\p{L}\d]{1,4})[.)]/u.exec(marker) ?? []
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
    if (/^[☐☑☒]/.test(marker)) item.dataset['checked'] = String(isTicked(marker))
    item.append(...paragraph.childNodes)
    lists.at(-1)!.append(item)
    paragraph.remove()
  }
}

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
      alignCell(cell)
      makeLine(cell)
    }
    skip(empty => row.append(empty))
  }
  alignHead(table)
}
const MAX_SPAN = 50

function alignCell(cell: HTMLElement): void {
  const align = cell.querySelector(':scope > p[align]')?.getAttribute('align')
  if (!cell.hasAttribute('align') && (align === 'center' || align === 'right')) cell.setAttribute('align', align)
}
/** In Markdown, the head aligns the columns. */
function alignHead({ rows }: HTMLTableElement): void {
  for (const [column, cell] of [...(rows[0]?.cells ?? [])].entries()) {
    const align = rows[1]?.cells[column]?.getAttribute('align')
    if (align && !cell.hasAttribute('align')) cell.setAttribute('align', align)
  }
}

const BLOCKS =
  'p, div, h1, h2, h3, h4, h5, h6, li, pre, blockquote, ul, ol, table, tbody, thead, tfoot, tr, td, th, hr, dl, dd, ' +
  'article, section, header, footer, aside, figure, figcaption, address, form, fieldset'
const OF_LINE = /^(?:P|DIV|H\d|LI|PRE|TR|DD|ARTICLE|SECTION|HEADER|FOOTER|ASIDE|FIGURE|FIGCAPTION|ADDRESS|BLOCKQUOTE)$/
const BEGINS_LINE = new RegExp(`${OF_LINE.source}|^[UO]L$`)
const MARKER = /^(?:[•◦☑☐]|\d+\.) $/

function isAfterText({ previousSibling: before }: Element): boolean {
  const text = before instanceof HTMLBRElement ? '' : (before?.textContent ?? '')
  return text.trim() !== '' && !MARKER.test(text)
}

function makeLine(cell: HTMLElement): void {
  if (isEmpty(cell)) return cell.replaceChildren()
  for (const code of cell.querySelectorAll('pre > code')) splitLines(code)
  for (const item of cell.querySelectorAll('li')) item.prepend(markerOf(item))
  for (const block of cell.querySelectorAll(BLOCKS)) {
    if (BEGINS_LINE.test(block.tagName) && isAfterText(block)) block.before(make(cell, 'br'))
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

/** A list in a cell is text: its marker, its number or its box. */
function markerOf(item: HTMLLIElement): string {
  const box = item.querySelector(':scope > input[type=checkbox], :scope > :is(p, div) > input[type=checkbox]')
  const checked = item.dataset['checked'] ?? (box ? String(box.hasAttribute('checked')) : undefined)
  box?.remove()
  if (checked !== undefined) return checked === 'true' ? '☑ ' : '☐ '
  const list = item.parentElement
  if (list instanceof HTMLOListElement) return `${list.start + [...list.children].indexOf(item)}. `
  return list?.parentElement?.closest('li, td, th') instanceof HTMLLIElement ? '◦ ' : '• '
}

function splitLines(code: Element): void {
  const lines = linesOf(code).replace(/\n$/, '').split('\n')
  const parts = lines.flatMap(line => {
    const part = make(code, 'code')
    part.textContent = line
    return line === '' ? make(code, 'br') : [part, make(code, 'br')]
  })
  code.replaceWith(...parts)
}
