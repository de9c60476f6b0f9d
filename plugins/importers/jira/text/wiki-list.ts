import { indented } from '../../markdown.ts'

const ITEM = /^\s*([*#][*#-]*|-)\s(.*)$/s

interface Level {
  marker: string
  /** For ordered lists. */
  count: number
  indent: number
}

/** With nested ones; undefined when no list begins there. */
export function wikiList(
  lines: readonly string[],
  from: number,
  item: (wiki: string) => string
): { markdown: string; lines: number } | undefined {
  if (!ITEM.test(lines[from]!)) return undefined
  const levels: Level[] = []
  const written: string[] = []
  let n = from
  while (n < lines.length) {
    const [, markers = '', first = ''] = ITEM.exec(lines[n]!) ?? []
    if (markers === '') break
    let end = n + 1
    // Lines without a marker belong to the item.
    while (end < lines.length && isContinued(lines[end]!)) end++
    const text = [first.trimStart(), ...lines.slice(n + 1, end)].join('\n')
    const { bullet, indent } = nextItem(levels, markers)
    written.push(`${' '.repeat(indent)}${bullet}${indented(item(text), indent + bullet.length)}`)
    n = end
  }
  return { markdown: written.join('\n'), lines: n - from }
}

const isContinued = (line: string) =>
  line.trim() !== '' && !ITEM.test(line) && !/^\s*(?:\||h[1-6]\.\s|bq\.\s|-{4,}\s*$)/.test(line)

function nextItem(levels: Level[], markers: string): { bullet: string; indent: number } {
  const depth = Math.min(markers.length, levels.length + 1)
  const marker = markers.at(-1) === '#' ? '#' : '*'
  levels.length = Math.min(levels.length, depth)
  if (levels.length === depth && levels[depth - 1]!.marker !== marker) levels.length = depth - 1
  const outer = levels[depth - 2]
  if (levels.length < depth) {
    levels.push({ marker, count: 0, indent: outer ? outer.indent + bulletOf(outer).length : 0 })
  }
  const level = levels[depth - 1]!
  level.count++
  return { bullet: bulletOf(level), indent: level.indent }
}

const bulletOf = ({ marker, count }: Level) => (marker === '#' ? `${count}. ` : '- ')
