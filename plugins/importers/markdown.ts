export function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(/[`*]/g, '\\$&')
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll(/\](?=[([])/g, '\\]')
    .replaceAll(/<(?=[a-z/!?])/gi, '\\<')
    .replaceAll(/&(?=#?[a-z0-9]{1,32};)/gi, '\\&')
    .replaceAll('~~', '\\~~')
}

/** A line that would begin a block. */
export const escapeLineStart = (line: string): string =>
  line
    .replace(/^(\s*)(#{1,6}(?:\s|$)|>|[-+](?:\s|$)|[-=]+\s*$|\[[^\]]+\]:)/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)](?:\s|$))/, '$1\\$2')

const longestOf = (runs: readonly string[] | null, atLeast: number): number =>
  (runs ?? []).reduce((longest, run) => Math.max(longest, run.trim().length), atLeast)

/** Delimited with as many backticks as its text needs. */
export function codeSpan(code: string): string {
  const text = code.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
  const ticks = '`'.repeat(longestOf(text.match(/`+/g), 0) + 1)
  const pad = /^`|`$|^ .* $/.test(text) ? ' ' : ''
  return text === '' ? '' : `${ticks}${pad}${text}${pad}${ticks}`
}

export function codeBlock(code: string, language = ''): string {
  const fence = '`'.repeat(longestOf(code.match(/^[ \t]*`{3,}/gm), 2) + 1)
  return `${fence}${language.replaceAll(/[\s`]/g, '')}\n${code.replace(/^\n+/, '').trimEnd()}\n${fence}`
}

export const quote = (markdown: string): string =>
  markdown
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** Indents all lines but the first. */
export const indented = (markdown: string, width: number): string =>
  markdown.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`)

/** Cells may have several lines of markdown. */
export function table(rows: readonly string[][], hasHeader: boolean): string {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width === 0) return ''
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, n) => tableCell(cells[n] ?? '')).join(' | ')} |`
  const [header, ...body] = hasHeader ? rows : [[], ...rows]
  return [line(header ?? []), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n')
}

const tableCell = (markdown: string): string =>
  markdown
    .trim()
    .replaceAll(/(?<!\\)\|/g, '\\|')
    .replaceAll(/(?<![\\\s])[\\\s]*\n\s*/g, '<br>')

/** An address that needs it is written between angle brackets. */
export const link = (label: string, url: string): string =>
  label === url && /^https?:\/\/[^\s<>]+$/.test(url) ? `<${url}>` : `[${label}](${address(url)})`
export const image = (alt: string, url: string): string => `![${alt.replaceAll(/[[\]\\]/g, '\\$&')}](${address(url)})`
const address = (url: string): string => {
  const safe = url.replaceAll('\n', '').replaceAll(/[<>]/g, encodeURIComponent)
  return /[\s()]/.test(safe) ? `<${safe}>` : safe
}

/** Invalid characters are removed when it is read. */
export function oneLine(text: string, max: number): string {
  const line = text.replaceAll(/[\s\u0085]+/g, ' ').trim()
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`
}
