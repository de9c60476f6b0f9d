import { codeBlock, codeSpan, escapeLineStart, quote } from '../../markdown.ts'
import { htmlToMarkdown } from './html.ts'
import { inlineMarkdown } from './wiki-inline.ts'
import type { WikiContext } from './wiki-context.ts'
import { wikiList } from './wiki-list.ts'
import { isTableStart, wikiTable } from './wiki-table.ts'

/** The placeholder of a block within a line. */
const BLOCK = /\uE010(\d+)\uE011/
/** The rules of lines do not hold for it: as markdown, and on one line. */
interface Block {
  markdown: string
  inline: string
}

const VERBATIM = /\{(code|noformat|html)(?::([^}\n]*))?\}/
const CONTAINER = /\{(panel|quote)(?::([^}\n]*))?\}/

/** Colours, underlines and anchors, which markdown lacks, are removed. */
export function wikiToMarkdown(wiki: string, context: WikiContext): string {
  const blocks: Block[] = []
  const text = takeBlocks(wiki.replaceAll(/\r\n?/g, '\n').replaceAll(/[\uE000-\uE011]/g, ''), blocks, context)
  return linesToMarkdown(text, blocks, context)
}

function takeBlocks(text: string, blocks: Block[], context: WikiContext): string {
  const keep = (block: Block) => `\uE010${blocks.push(block) - 1}\uE011`
  return takeContainers(takeVerbatim(text, keep, context), keep, blocks, context)
}

/** Code and HTML first: they contain no markup. */
const takeVerbatim = (text: string, keep: (block: Block) => string, context: WikiContext): string =>
  replaceClosed(text, VERBATIM, (inner, name, options) => keep(verbatimBlock(name, options, inner, context)))

/** From an opener, `{name:options}`, to its `{name}`. An unclosed opener is text. */
function replaceClosed(
  text: string,
  opener: RegExp,
  replace: (inner: string, name: string, options: string) => string
): string {
  let rest = text
  let output = ''
  for (;;) {
    const open = opener.exec(rest)
    if (!open) return output + rest
    const [opening, name = '', options = ''] = open
    const start = open.index + opening.length
    const end = rest.indexOf(`{${name}}`, start)
    if (end < 0) {
      output += rest.slice(0, start)
      rest = rest.slice(start)
      continue
    }
    output += rest.slice(0, open.index) + replace(rest.slice(start, end), name, options)
    rest = rest.slice(end + name.length + 2)
  }
}

function verbatimBlock(name: string, options: string, inner: string, context: WikiContext): Block {
  if (name === 'html') {
    const markdown = htmlToMarkdown(inner, context)
    return { markdown, inline: markdown }
  }
  const { title, language } = codeOptions(options)
  const code = inner.replace(/^\n+/, '').trimEnd()
  const head = title === undefined ? '' : `**${inlineMarkdown(title, context)}**\n\n`
  return {
    markdown: code === '' ? head.trim() : head + codeBlock(code, language),
    inline: code.split('\n').map(codeSpan).join('\n')
  }
}

function codeOptions(options: string): { title?: string; language?: string } {
  const parsed: { title?: string; language?: string } = {}
  for (const option of options.split('|')) {
    const [key = '', ...value] = option.split('=')
    if (value.length === 0 && key !== '') parsed.language = key.toLowerCase()
    else if (key === 'title') parsed.title = value.join('=')
    else if (key === 'language') parsed.language = value.join('=')
  }
  return parsed
}

/** Panels and quotes contain any markup. */
function takeContainers(
  text: string,
  keep: (block: Block) => string,
  blocks: readonly Block[],
  context: WikiContext
): string {
  return replaceClosed(text, CONTAINER, (content, _name, options) => {
    const inner = takeContainers(content, keep, blocks, context)
    const title = /(?:^|\|)title=([^|]*)/.exec(options)?.[1]
    const markdown = [
      ...(title ? [`**${inlineMarkdown(title, context)}**`] : []),
      linesToMarkdown(inner, blocks, context)
    ].join('\n\n')
    return markdown.trim() === '' ? '' : keep({ markdown: quote(markdown), inline: markdown })
  })
}

function linesToMarkdown(text: string, blocks: readonly Block[], context: WikiContext): string {
  const lines = text.split('\n')
  const parts: string[] = []
  for (let n = 0; n < lines.length;) {
    const part = partAt(lines, n, blocks, context)
    if (part.markdown !== '') parts.push(part.markdown)
    n += part.lines
  }
  return parts.join('\n\n').trim()
}

interface Part {
  markdown: string
  lines: number
}

function partAt(lines: readonly string[], n: number, blocks: readonly Block[], context: WikiContext): Part {
  const line = lines[n]!
  if (line.trim() === '') return { markdown: '', lines: 1 }
  const heading = /^\s*h([1-6])\.\s(.*)$/s.exec(line)
  if (heading) {
    const text = withBlocks(heading[2]!.trimStart(), blocks, context)
    return { markdown: `${'#'.repeat(Number(heading[1]))} ${text}`, lines: 1 }
  }
  const quotation = /^\s*bq\.\s(.*)$/s.exec(line)
  if (quotation) return { markdown: quote(withBlocks(quotation[1]!.trimStart(), blocks, context)), lines: 1 }
  if (/^\s*-{4,}\s*$/.test(line)) return { markdown: '---', lines: 1 }
  if (isTableStart(line)) return wikiTable(lines, n, cell => withInlineBlocks(cell, blocks, context))
  const list = wikiList(lines, n, item => withBlocks(item, blocks, context))
  if (list) return list
  let end = n + 1
  while (end < lines.length && isParagraphLine(lines[end]!)) end++
  return { markdown: withBlocks(lines.slice(n, end).join('\n'), blocks, context), lines: end - n }
}

const isParagraphLine = (line: string): boolean =>
  line.trim() !== '' && !isTableStart(line) && !/^\s*(?:h[1-6]\.\s|bq\.\s|-{4,}\s*$|(?:[*#][*#-]*|-)\s+\S)/.test(line)

function withBlocks(text: string, blocks: readonly Block[], context: WikiContext): string {
  const parts = text.split(new RegExp(BLOCK, 'g'))
  return parts
    .map((part, n) => (n % 2 === 1 ? blocks[Number(part)]!.markdown : textLines(part, context)))
    .filter(part => part !== '')
    .join('\n\n')
}

/** For a cell of a table. */
const withInlineBlocks = (text: string, blocks: readonly Block[], context: WikiContext): string =>
  text
    .split(new RegExp(BLOCK, 'g'))
    .map((part, n) => (n % 2 === 1 ? blocks[Number(part)]!.inline : inlineMarkdown(part, context)))
    .join('')

const textLines = (text: string, context: WikiContext): string =>
  inlineMarkdown(text, context)
    .split('\n')
    .map(line => escapeLineStart(line.trim()))
    .join('\n')
    .trim()
