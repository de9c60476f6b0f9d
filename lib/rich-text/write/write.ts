import type { Node } from 'prosemirror-model'
import { schema } from '../schema.ts'
import { blocksOf, gridOf, isMultiline, isTight } from '../shape.ts'
import { writeInline, type Caution } from './write-inline.ts'

const { nodes } = schema

function writeBlocks(parent: Node, caution: Caution, tight = false): string[] {
  let marker = ''
  return blocksOf(parent).flatMap((block, i) => {
    marker = isList(block) ? markerOf(block, marker) : ''
    // In an item, dashes and the marker could be read as one rule, or as the underline of the box.
    const isRule = block.type === nodes.horizontal_rule && parent.type === nodes.list_item
    const lines = isRule ? ['___'] : writeBlock(block, caution, marker)
    return i > 0 && !tight ? ['', ...lines] : lines
  })
}

/** A block as lines of markdown. `marker` is the marker of a list's items, after the number if there is one. */
export function writeBlock(block: Node, caution: Caution, marker = isList(block) ? markerOf(block, '') : ''): string[] {
  const { type, attrs } = block
  switch (type) {
    case nodes.paragraph:
      return writeInline(block, caution).split('\n')
    case nodes.heading:
      return writeHeading(block, caution)
    case nodes.blockquote:
      return writeBlocks(block, caution)
        .join('\n')
        .split('\n')
        .map(line => (line ? `> ${line}` : '>'))
    case nodes.horizontal_rule:
      return ['---']
    case nodes.code_block:
      return writeCode(block)
    case nodes.bullet_list:
    case nodes.ordered_list:
      return writeList(block, caution, marker)
    case nodes.table:
      return writeTable(block, caution)
    case nodes.html_block:
      return attrs.html.split('\n')
    case nodes.link_definition:
      return attrs.markdown.split('\n')
    default:
      throw new Error(`${type.name} is not a block`)
  }
}

const BULLETS = ['-', '*', '+']
const DELIMITERS = ['.', ')']

/** The marker of a list's items: its own, or another if that would join it to another list, or make a rule. */
export function markerOf(list: Node, before: string, after = ''): string {
  const own = ownMarkerOf(list)
  const inner = bareBullets(list) === LENGTH_OF_RULE ? markerOf(firstBlockOf(list)!, '') : ''
  const all = [own, ...(list.type === nodes.ordered_list ? DELIMITERS : BULLETS)]
  const free = all.filter(marker => marker !== before && marker !== inner)
  return free.find(marker => marker !== after) ?? free[0] ?? own
}

export const ownMarkerOf = ({ type, attrs }: Node): string =>
  type === nodes.ordered_list ? attrs.delimiter : attrs.bullet

const LENGTH_OF_RULE = 3
/** The number of bullets in the first line of a list, if it has nothing else. */
function bareBullets(list: Node): number {
  let bullets = 0
  let block: Node | undefined = list
  for (; block?.type === nodes.bullet_list && block.firstChild?.attrs.checked === null; block = firstBlockOf(block)) {
    bullets++
  }
  return block ? 0 : bullets
}
const firstBlockOf = ({ firstChild }: Node): Node | undefined => (firstChild ? blocksOf(firstChild)[0] : undefined)

export function isList({ type }: Node): boolean {
  return type === nodes.bullet_list || type === nodes.ordered_list
}

function writeHeading(heading: Node, caution: Caution): string[] {
  const { level } = heading.attrs
  const text = writeInline(heading, caution)
  // One dash, unlike three, does not make a table of a line with a bar.
  if (isMultiline(heading)) return [...text.split('\n'), level === 1 ? '===' : text.includes('|') ? '-' : '---']
  if (!text) return ['#'.repeat(level)]
  // A run of # at the end would be taken for the closing sequence.
  return [`${'#'.repeat(level)} ${text.replace(/(^|[ \t])(#+)$/, '$1\\$2')}`]
}

function writeCode(block: Node): string[] {
  const code = block.textContent
  const info: string = block.attrs.params.trim().replace(/\\(?=[!-/:-@[-`{-~])|&(?=#?\w+;)/g, '\\$&')
  const mark = info.includes('`') ? '~' : '`'
  let longest = 2
  for (const [run] of code.matchAll(mark === '~' ? /~+/g : /`+/g)) longest = Math.max(longest, run.length)
  const fence = mark.repeat(longest + 1)
  const lines = /[^\n]/.test(code) ? code.split('\n') : [...code].map(() => '')
  return [fence + (mark === '~' && info ? ' ' : '') + info, ...lines, fence]
}

function writeList(list: Node, caution: Caution, marker: string): string[] {
  const tight = isTight(list)
  return list.children.flatMap((item, i) => {
    const number = list.type === nodes.ordered_list ? Math.min(list.attrs.order + i, 999_999_999) : ''
    const lines = writeItem(item, `${number}${marker} `, caution, tight)
    return i > 0 && !tight ? ['', ...lines] : lines
  })
}

function writeItem(item: Node, marker: string, caution: Caution, tight: boolean): string[] {
  const { checked } = item.attrs
  const [first = '', ...rest] = writeBlocks(item, caution, tight)
  const indent = ' '.repeat(marker.length)
  const box = checked === null ? '' : checked ? '[x] ' : '[ ] '
  return [first ? marker + box + first : (marker + box).trimEnd(), ...rest.map(line => line && indent + line)]
}

function writeTable(table: Node, caution: Caution): string[] {
  const { rows, alignments } = gridOf(table)
  const [head = '', ...body] = rows.map(cells => {
    const missing = Array.from({ length: alignments.length - cells.length }, () => '')
    return row([...cells.map(cell => writeCell(cell, caution)), ...missing])
  })
  return [head, row(alignments.map(align => writeDelimiter(align))), ...body]
}

/** @param length of the delimiter, if there is room for a dash; without it there are three */
export function writeDelimiter(align: string | null, length?: number): string {
  const start = align === 'left' || align === 'center' ? ':' : ''
  const end = align === 'right' || align === 'center' ? ':' : ''
  const dashes = length === undefined ? 3 : Math.max(1, length - start.length - end.length)
  return start + '-'.repeat(dashes) + end
}

export function writeCell(cell: Node, caution: Caution): string {
  // A cell loses all white space at its ends.
  return writeInline(cell, caution)
    .replaceAll('|', '\\|')
    .replace(/^\s|\s$/g, space => `&#${space.charCodeAt(0)};`)
}

function row(cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}
