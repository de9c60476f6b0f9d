import type { Node } from 'prosemirror-model'
import { EACH_UNSPACED } from '../../words/scripts.ts'
import { inlineText, plainText } from '../write/plain-text.ts'
import { schema } from '../schema.ts'
import { parse, serialize } from '../write/serialize.ts'

export interface Criterion {
  /** Counts from 1 in document order. */
  n: number
  text: string
  met: boolean
}

interface PlacedCriterion extends Criterion {
  pos: number
}

const WORDS = /[\p{L}\p{N}]+/gu
type Selectors = ReadonlyArray<number | string>
const MAX_LISTED_CRITERIA = 50

/** The tasks of a document. A box without text does not count. */
export function criteria(doc: Node): Criterion[] {
  return placedCriteria(doc).map(({ n, text, met }) => ({ n, text, met }))
}

/**
 * The document with tasks ticked and unticked; its markdown differs in their boxes only. A task is named by its number,
 * its text, or a unique part of it; white space, case, markup and a full stop count only if several tasks match
 * otherwise, and digits are a number unless a task has that text.
 * @throws {Error} when no task or more than one matches; the message lists the tasks
 */
export function tick(doc: Node, met: Selectors, unmet: Selectors = []): Node {
  const all = placedCriteria(doc)
  const boxes = new Map<number, boolean>()
  for (const which of met) boxes.set(find(all, which).pos, true)
  for (const which of unmet) boxes.set(find(all, which).pos, false)
  const ticked = withBoxes(doc, -1, boxes)
  if (doc.attrs.source === null) return ticked
  return doc.type.create({ source: serialize(ticked) }, ticked.content)
}

/** The numbers of the tasks that `tick` would find. @throws {Error} as `tick` */
export function criterionNumbers(doc: Node, selectors: Selectors): number[] {
  const all = placedCriteria(doc)
  return selectors.map(which => find(all, which).n)
}

function placedCriteria(doc: Node): PlacedCriterion[] {
  const criteria: PlacedCriterion[] = []
  doc.descendants((node, pos) => {
    if (node.type !== schema.nodes.list_item || node.attrs.checked === null) return
    const text = node.firstChild?.isTextblock ? normalizeSpace(inlineText(node.firstChild)) : ''
    if (text) criteria.push({ n: criteria.length + 1, text, met: node.attrs.checked, pos })
  })
  return criteria
}

function find(all: PlacedCriterion[], which: number | string): PlacedCriterion {
  if (typeof which === 'number') return all[which - 1] ?? refuse(all, `There is no criterion ${which}.`)
  const ways: Array<{ form: (text: string) => string; target: () => string }> = [
    { form: text => text, target: () => which },
    { form: normalizeCase, target: () => normalizeCase(which) },
    { form: normalizeCase, target: () => normalizeCase(plainText(parse(which))) },
    { form: withoutStop, target: () => withoutStop(plainText(parse(which))) }
  ]
  for (const { form, target } of ways) {
    const text = target()
    const [match, ...more] = all.filter(criterion => form(criterion.text) === text)
    if (match && more.length === 0) return match
    if (match) return refuse(all, `Several criteria read ${JSON.stringify(which)}; name one by its number.`)
  }
  if (/^\s*[1-9]\d*\s*$/.test(which)) return find(all, Number(which))
  const part = spacedWords(plainText(parse(which)))
  const containing = part.trim().length < 3 ? [] : all.filter(({ text }) => spacedWords(text).includes(part.trim()))
  const [match, ...more] = containing
  if (more.length > 0) {
    return refuse(all, `Several criteria contain ${JSON.stringify(which.slice(0, 200))}; name one by its number.`)
  }
  if (match && spacedWords(match.text).includes(part)) return match
  return refuse(all, `No criterion reads ${JSON.stringify(which.slice(0, 200))}.`)
}

function refuse(all: PlacedCriterion[], problem: string): never {
  const choices = all.slice(0, MAX_LISTED_CRITERIA).map(({ n, text }) => `${n}. ${text.slice(0, 200)}`)
  if (all.length > MAX_LISTED_CRITERIA) choices.push(`and ${all.length - MAX_LISTED_CRITERIA} more`)
  throw new Error(
    `${problem} ${all.length > 0 ? `The criteria are: ${choices.join('; ')}` : 'The text has no checklist.'}`
  )
}

function normalizeSpace(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

function normalizeCase(text: string): string {
  return normalizeSpace(text).toLowerCase()
}

const withoutStop = (text: string): string => normalizeCase(text).replace(/[.;,]$/, '')

/** A text's words with a space around each; in scripts without spaces each character is a word. */
const spacedWords = (text: string): string =>
  ` ${(normalizeCase(text).replace(EACH_UNSPACED, ' $& ').match(WORDS) ?? []).join(' ')} `

/** A node with the boxes of the items at these positions set. In one pass, because a list may have thousands. */
function withBoxes(node: Node, pos: number, boxes: ReadonlyMap<number, boolean>): Node {
  if (node.isTextblock) return node
  const children: Node[] = []
  node.forEach((child, offset) => children.push(withBoxes(child, pos + 1 + offset, boxes)))
  const checked = boxes.get(pos)
  if (checked === undefined && children.every((child, n) => child === node.child(n))) return node
  return node.type.create(checked === undefined ? node.attrs : { checked }, children, node.marks)
}
