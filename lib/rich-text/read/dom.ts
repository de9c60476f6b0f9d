import type { AttributeSpec, Attrs, DOMOutputSpec, MarkSpec, NodeSpec, TagParseRule } from 'prosemirror-model'
import { checkType } from './refuse.ts'

/** An element of HTML. The server's program has no DOM types. */
type Dom = object
interface KnownDom {
  getAttribute(name: string): string | null
  querySelector(selector: string): Dom | null
}
const attribute = (dom: Dom | null, name: string): string | null => (dom as KnownDom | null)?.getAttribute(name) ?? null
const find = (dom: Dom, selector: string): Dom | null => (dom as KnownDom).querySelector(selector)
/** The used fields of the specs of nodes and marks. */
interface Spec {
  attrs?: Record<string, AttributeSpec>
  toDOM?: (of: never) => DOMOutputSpec
  parseDOM?: readonly object[]
}

/** Before the ordinary rules, whose priority is 50. */
const PRIORITY = 60

/**
 * Specs whose elements carry the type and all attributes, so that copying and pasting in an editor loses none. Other
 * elements are read by the rules of the specs.
 */
export function copyable<Specs extends Record<string, NodeSpec | MarkSpec>>(specs: Specs): Specs {
  const entries = Object.entries(specs).map(([name, spec]) => [name, withAttributes(name, spec as Spec)])
  return Object.fromEntries(entries) as Specs
}

function withAttributes(name: string, spec: Spec): Spec {
  const { attrs: known = {}, toDOM, parseDOM = [] } = spec
  if (!toDOM) return spec
  const rule: TagParseRule = {
    // Further options of the rule, such as for white space.
    ...parseDOM.find(rule => 'tag' in rule),
    tag: `[data-rich-text=${name}]`,
    priority: PRIORITY,
    getAttrs(dom: Dom) {
      try {
        const attrs = JSON.parse(attribute(dom, 'data-attrs') ?? '') as Attrs
        for (const [key, each] of Object.entries(known)) checkType(attrs[key], each)
        return attrs
      } catch {
        return false
      }
    }
  }
  return {
    ...spec,
    parseDOM: [rule, ...parseDOM],
    toDOM(of: never) {
      const { attrs } = of as { attrs: Attrs }
      const [tag, ...rest] = toDOM(of) as unknown as [string, ...unknown[]]
      const own = isAttributes(rest[0]) ? rest.shift() : {}
      return [tag, { ...(own as object), 'data-rich-text': name, 'data-attrs': JSON.stringify(attrs) }, ...rest]
    }
  }
}

const isAttributes = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list in HTML is loose only if it says so. */
export const tightOf = (list: Dom): boolean => attribute(list, 'data-tight') !== 'false'

export function startOf(list: Dom): number {
  const start = Number(attribute(list, 'start') ?? 1)
  return Number.isInteger(start) && start >= 0 && start <= 999_999_999 ? start : 1
}

/** The state of a task in HTML, in the forms of this product, other editors and GitHub; null: no task. */
export function checkedOf(item: Dom): boolean | null {
  const said = attribute(item, 'data-checked') ?? attribute(item, 'aria-checked')
  if (said !== null) return said === 'true'
  const box = find(item, BOX_OF_ITEM)
  return box && attribute(box, 'checked') !== null
}
const BOX_OF_ITEM = [':scope', ':scope > p', ':scope > label', ':scope > div']
  .map(parent => `${parent} > input[type=checkbox]`)
  .join(', ')

/** The language of code in HTML, by the class that most pages use. */
export const languageOf = (code: Dom): string =>
  /(?:^|\s)lang(?:uage)?-(\S+)/.exec(attribute(find(code, 'code'), 'class') ?? '')?.[1] ?? ''

export function alignmentOf(cell: Dom): string | null {
  const align = attribute(cell, 'align')
  return /^(?:left|center|right)$/.test(align ?? '') ? align : null
}
