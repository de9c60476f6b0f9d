import { Fragment, Slice } from 'prosemirror-model'
import type { Node } from 'prosemirror-model'
import { inlineText, plainText } from './plain-text.ts'
import { schema } from './schema.ts'
import { parse, serialize } from './serialize.ts'

/** A task of a document: `n` counts from 1 in document order, `text` is what stands beside the box, `met` whether it is ticked. */
export interface Criterion {
  n: number
  text: string
  met: boolean
}

/** A task and the position of its item in the document. */
interface Place extends Criterion {
  pos: number
}

/** How many criteria an error lists. */
const mostChoices = 50

/** The tasks of a document. A box with nothing beside it is none. */
export function criteria(doc: Node): Criterion[] {
  return places(doc).map(({ n, text, met }) => ({ n, text, met }))
}

/**
 * The document with one task ticked, or unticked, and nothing else changed: its markdown differs in one character.
 * @param which the task's number, or its text; white space, case and markup count only where several would match
 * @throws {Error} when no task or more than one is meant; the message lists the tasks
 */
export function tick(doc: Node, which: number | string, met: boolean): Node {
  const { pos } = find(places(doc), which)
  const ticked = withAttribute(doc, pos, met)
  if (doc.attrs.source === null) return ticked
  return schema.nodes.doc.create({ source: serialize(ticked) }, ticked.content)
}

function places(doc: Node): Place[] {
  const found: Place[] = []
  doc.descendants((node, pos) => {
    if (node.type !== schema.nodes.list_item || node.attrs.checked === null) return
    const text = node.firstChild?.isTextblock ? normal(inlineText(node.firstChild)) : ''
    if (text) found.push({ n: found.length + 1, text, met: node.attrs.checked, pos })
  })
  return found
}

function find(all: Place[], which: number | string): Place {
  if (typeof which === 'number') return all[which - 1] ?? refuse(all, `There is no criterion ${which}.`)
  const tests: Array<(text: string) => boolean> = [
    text => text === which,
    text => loose(text) === loose(which),
    text => loose(text) === loose(plainText(parse(which)))
  ]
  for (const test of tests) {
    const [match, ...more] = all.filter(({ text }) => test(text))
    if (match && more.length === 0) return match
    if (match) return refuse(all, `Several criteria read ${JSON.stringify(which)}; name one by its number.`)
  }
  return refuse(all, `No criterion reads ${JSON.stringify(which.slice(0, 200))}.`)
}

function refuse(all: Place[], problem: string): never {
  const choices = all.slice(0, mostChoices).map(({ n, text }) => `${n}. ${text.slice(0, 200)}`)
  if (all.length > mostChoices) choices.push(`and ${all.length - mostChoices} more`)
  throw new Error(
    `${problem} ${all.length > 0 ? `The criteria are: ${choices.join('; ')}` : 'The text has no checklist.'}`
  )
}

function normal(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

function loose(text: string): string {
  return normal(text).toLowerCase()
}

function withAttribute(doc: Node, pos: number, checked: boolean): Node {
  const item = doc.nodeAt(pos)!
  return doc.replace(
    pos,
    pos + item.nodeSize,
    new Slice(Fragment.from(item.type.create({ checked }, item.content)), 0, 0)
  )
}
