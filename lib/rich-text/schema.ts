import { schema as commonmark } from 'prosemirror-markdown'
import { Schema } from 'prosemirror-model'
import type { MarkSpec, NodeSpec } from 'prosemirror-model'
import { alignmentOf, checkedOf, copyable, languageOf, startOf, tightOf } from './read/dom.ts'
import { refuse, type Check } from './read/refuse.ts'

// The order matters: ProseMirror takes the first type that fits.
const nodes = copyable({ ...blocks(), ...tables(), ...sourceBlocks(), ...inlines() })
const marks = copyable(marksOf())

/**
 * The document schema: prosemirror-markdown's, extended by the elements of GFM, with the same names and defaults, so
 * that an editor for that schema opens these documents. docs/rich-text.md describes every node, mark and attribute. It
 * runs in browsers, too, in the editor.
 */
export const schema = new Schema({ nodes, marks })

function nodeOf(name: string): NodeSpec {
  return commonmark.spec.nodes.get(name) as NodeSpec
}

function blocks() {
  const list = { tight: { default: true, validate: 'boolean' } }
  return {
    /** `source`: the parsed markdown; used while it matches the nodes. */
    doc: { ...nodeOf('doc'), attrs: { source: { default: null, validate: 'string|null' } } },
    /** A line feed in its text is a soft line break. */
    paragraph: nodeOf('paragraph'),
    blockquote: nodeOf('blockquote'),
    horizontal_rule: nodeOf('horizontal_rule'),
    heading: {
      ...nodeOf('heading'),
      content: 'inline*',
      attrs: { level: { default: 1, validate: oneOf(1, 2, 3, 4, 5, 6) } }
    },
    /** `params`: the info string, whose first word is the language. */
    code_block: {
      ...nodeOf('code_block'),
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full', getAttrs: code => ({ params: languageOf(code) }) }],
      attrs: { params: { default: '', validate: matching(/^[^\n\r]*$/, 'one line of text') } }
    },
    /** `order`: the first number; `delimiter`: the character after it. */
    ordered_list: {
      ...nodeOf('ordered_list'),
      parseDOM: [{ tag: 'ol', getAttrs: list => ({ order: startOf(list), tight: tightOf(list) }) }],
      attrs: {
        ...list,
        order: { default: 1, validate: wholeNumber(0, 999_999_999) },
        delimiter: { default: '.', validate: oneOf('.', ')') }
      }
    },
    /** `tight`: no blank lines between items. */
    bullet_list: {
      ...nodeOf('bullet_list'),
      parseDOM: [{ tag: 'ul', getAttrs: list => ({ tight: tightOf(list) }) }],
      attrs: { ...list, bullet: { default: '-', validate: oneOf('-', '*', '+') } }
    },
    /** `checked`: null for a plain item, false or true for a task. */
    list_item: {
      ...nodeOf('list_item'),
      parseDOM: [{ tag: 'li', getAttrs: item => ({ checked: checkedOf(item) }) }],
      attrs: { checked: { default: null, validate: 'boolean|null' } }
    }
  } satisfies Record<string, NodeSpec>
}

function tables() {
  const cell = (tag: string): NodeSpec => ({
    content: 'inline*',
    attrs: { align: { default: null, validate: oneOf(null, 'left', 'center', 'right') } },
    isolating: true,
    parseDOM: [{ tag, getAttrs: cell => ({ align: alignmentOf(cell) }) }],
    toDOM: node => [tag, node.attrs.align ? { style: `text-align: ${node.attrs.align}` } : {}, 0]
  })
  return {
    /** The first row is the header. Every row has as many cells as the widest. */
    table: {
      content: 'table_row+',
      group: 'block',
      isolating: true,
      parseDOM: [{ tag: 'table' }],
      toDOM: () => ['table', ['tbody', 0]]
    },
    table_row: { content: '(table_header | table_cell)+', parseDOM: [{ tag: 'tr' }], toDOM: () => ['tr', 0] },
    table_header: cell('th'),
    table_cell: cell('td')
  } satisfies Record<string, NodeSpec>
}

/** Blocks whose markdown or HTML is stored as written. */
function sourceBlocks() {
  return {
    /** Raw HTML, unchanged and displayed as text only. */
    html_block: {
      group: 'block',
      atom: true,
      attrs: { html: { validate: 'string' } },
      toDOM: node => ['pre', { class: 'raw-html' }, node.attrs.html]
    },
    /** `[label]: address "title"`, as written. Not displayed. */
    link_definition: {
      group: 'block',
      atom: true,
      attrs: { markdown: { validate: 'string' } },
      toDOM: node => ['pre', { class: 'link-definition' }, node.attrs.markdown]
    }
  } satisfies Record<string, NodeSpec>
}

function inlines() {
  return {
    text: nodeOf('text'),
    image: {
      ...nodeOf('image'),
      attrs: {
        src: { validate: 'string' },
        alt: { default: null, validate: 'string|null' },
        title: { default: null, validate: 'string|null' }
      }
    },
    hard_break: nodeOf('hard_break'),
    /** A line feed that was written as a character reference: white space, not a soft break. */
    line_feed: { inline: true, group: 'inline', selectable: false, toDOM: () => ['span', { class: 'line-feed' }] },
    /** The content of a link without text, `[](address)`. Not displayed. */
    empty: { inline: true, group: 'inline', selectable: false, toDOM: () => ['span', { class: 'empty' }] },
    html_inline: {
      inline: true,
      group: 'inline',
      atom: true,
      attrs: { html: { validate: 'string' } },
      toDOM: node => ['code', { class: 'raw-html' }, node.attrs.html]
    }
  } satisfies Record<string, NodeSpec>
}

function marksOf() {
  const of = (name: string) => commonmark.spec.marks.get(name) as MarkSpec
  /**
   * `depth`: the number of enclosing marks, which ProseMirror's sets do not record: **_a_** and _**a**_ differ. `run`:
   * 1 when it starts where an equal mark ends and is not its continuation.
   */
  const nesting = { depth: { default: 0, validate: wholeNumber(0, 99) }, run: { default: 0, validate: oneOf(0, 1) } }
  const delimiter = { default: '*', validate: oneOf('*', '_') }

  return {
    em: { ...of('em'), excludes: '', attrs: { ...nesting, delimiter } },
    strong: { ...of('strong'), excludes: '', attrs: { ...nesting, delimiter } },
    strike: {
      excludes: '',
      attrs: nesting,
      parseDOM: [
        { tag: 's' },
        { tag: 'del' },
        { tag: 'strike' },
        { style: 'text-decoration', getAttrs: value => value.includes('line-through') && null }
      ],
      toDOM: () => ['s', 0]
    },
    /** `auto`: the form of an autolink: `<address>` is `angle`, an address without brackets `bare`. */
    link: {
      ...of('link'),
      attrs: {
        ...nesting,
        href: { validate: 'string' },
        title: { default: null, validate: 'string|null' },
        auto: { default: null, validate: oneOf(null, 'angle', 'bare') }
      }
    },
    code: { ...of('code'), parseDOM: ['code', 'kbd', 'samp', 'tt'].map(tag => ({ tag })) }
  } satisfies Record<string, MarkSpec>
}

function oneOf(...allowed: unknown[]): Check {
  return value => {
    if (!allowed.includes(value)) refuse(`one of ${allowed.map(each => JSON.stringify(each)).join(', ')}`, value)
  }
}

function wholeNumber(from: number, to: number): Check {
  return value => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < from || value > to) {
      refuse(`a whole number from ${from} to ${to}`, value)
    }
  }
}

function matching(pattern: RegExp, expected: string): Check {
  return value => {
    if (typeof value !== 'string' || !pattern.test(value)) refuse(expected, value)
  }
}
