import type { Node } from 'prosemirror-model'
import { criteria } from './criteria.ts'
import { RichTextError } from '../limits.ts'
import { inlineText } from '../write/plain-text.ts'
import { schema } from '../schema.ts'
import { parse, serialize } from '../write/serialize.ts'

const HEADING = 'Acceptance criteria'
/** The optional marker of a list item and the optional box of a task. */
const MARKER = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(?:\[([ xX])?\](?:\s+|$))?/
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+|^\s*\[[ xX]?\]\s/

interface Item {
  text: string
  met: boolean
}

/**
 * The document with criteria added as a checklist under its heading "Acceptance criteria", which is appended if there
 * is none. A criterion may have the marker of a list or a box; duplicates are not added.
 * @throws {RichTextError} EMPTY_CRITERION when a criterion has no text
 */
export function addCriteria(doc: Node, texts: readonly string[]): Node {
  const known = new Set(criteria(doc).map(({ text }) => text.toLowerCase()))
  const items = texts.flatMap(itemsOf).flatMap(item => {
    const [read] = criteria(parse(`- [ ] ${item.text}`))
    if (!read) throw new RichTextError('EMPTY_CRITERION', 'A criterion is empty: say what must hold.')
    if (known.has(read.text.toLowerCase())) return []
    known.add(read.text.toLowerCase())
    return [item]
  })
  if (items.length === 0) return doc
  const list = parse(items.map(({ text, met }) => `- [${met ? 'x' : ' '}] ${text}`).join('\n')).firstChild!
  const changed = schema.nodes.doc.create({ source: doc.attrs.source }, withList([...doc.children], list))
  return schema.nodes.doc.create({ source: serialize(changed) }, changed.content)
}

/** The criteria of one text: several, when each line is an item of a list. */
function itemsOf(text: string): Item[] {
  const lines = text.split(/\r\n|\r|\n/).filter(line => line.trim() !== '')
  const texts = lines.length > 1 && lines.every(line => LIST_ITEM.test(line)) ? lines : [text]
  return texts.map(text => {
    const [marker, box] = MARKER.exec(text) ?? ['']
    return { text: text.slice(marker.length).replace(/\s+/g, ' ').trim(), met: box?.toLowerCase() === 'x' }
  })
}

function withList(blocks: Node[], list: Node): Node[] {
  const at = blocks.findIndex(
    block => block.type === schema.nodes.heading && /^acceptance criteria:?$/i.test(inlineText(block).trim())
  )
  const heading = blocks[at]
  if (!heading) return [...blocks, schema.nodes.heading.create({ level: 2 }, schema.text(HEADING)), list]
  const next = blocks.findIndex(
    ({ type, attrs }, n) => n > at && type === schema.nodes.heading && attrs.level <= heading.attrs.level
  )
  const end = next < 0 ? blocks.length : next
  const last = blocks.findLastIndex(({ type }, n) => n > at && n < end && type === schema.nodes.bullet_list)
  const present = blocks[last]
  return present
    ? blocks.with(last, present.copy(present.content.append(list.content)))
    : blocks.toSpliced(end, 0, list)
}
