import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import type { Mark, NodeType } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { checkAddress, markdownIt } from '../../../../../lib/rich-text/read/markdown-it.ts'
import { schema } from '../../../../../lib/rich-text/schema.ts'

/* Markdown is converted while it is typed. Backspace restores the typed characters. */
const { nodes, marks } = schema

const BULLET = /^\s*([-+*])\s$/
const NUMBER = /^\s*(\d{1,9})([.)])\s$/
const QUOTE = /^\s*>\s$/

/** Removes a marker at the start of a line that is in such a block already: writers of Markdown repeat it. */
const repeated = (pattern: RegExp, type: NodeType): InputRule =>
  new InputRule(pattern, (state, _match, start, end) => {
    const { $from } = state.selection
    const depth = type === nodes.blockquote ? -1 : -2
    const isInside = $from.node(depth)?.type === type && $from.index(depth) > 0
    return isInside && $from.parent.content.size === end - start ? state.tr.delete(start, end) : null
  })

const task = new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end) => {
  const { $from } = state.selection
  if ($from.node(-1)?.type !== nodes.list_item || $from.index(-1) !== 0) return null
  return state.tr.delete(start, end).setNodeAttribute($from.before(-1), 'checked', /x/i.test(match[1]!))
})

const marked = (
  tr: Transaction,
  mark: Mark,
  { start, from, to, end }: Record<'start' | 'from' | 'to' | 'end', number>
) => tr.addMark(from, to, mark).delete(to, end).delete(start, from).removeStoredMark(mark.type)

/** @param pattern the delimiter, and the text between two of them */
const delimited = (pattern: RegExp, mark: Mark): InputRule =>
  new InputRule(
    pattern,
    (state, [, delimiter = '', text = ''], start, end) => {
      const from = start + delimiter.length
      return marked(state.tr, mark, { start, from, to: from + text.length, end })
    },
    { inCodeMark: false }
  )

const LINK = /(!?)\[([^[\]]*)\]\(<?([^\s<>]+?)>?(?:\s+"([^"]*)")?\)$/
const link = new InputRule(
  LINK,
  (state, [, bang, text = '', address = '', title = null], start, end) => {
    const href = markdownIt.normalizeLink(address)
    if (checkAddress(href) !== null) return null
    if (bang) return state.tr.replaceWith(start, end, nodes.image.create({ src: href, alt: text || null, title }))
    const from = start + 1
    const mark = marks.link.create({ href, title })
    return text ? marked(state.tr, mark, { start, from, to: from + text.length, end }) : null
  },
  { inCodeMark: false }
)

export const rules = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, match => ({ level: match[1]!.length })),
    textblockTypeInputRule(/^```(\S*)\s$/, nodes.code_block, match => ({ params: match[1] })),
    repeated(QUOTE, nodes.blockquote),
    wrappingInputRule(QUOTE, nodes.blockquote),
    repeated(BULLET, nodes.bullet_list),
    wrappingInputRule(BULLET, nodes.bullet_list, match => ({ bullet: match[1], tight: true })),
    repeated(NUMBER, nodes.ordered_list),
    wrappingInputRule(NUMBER, nodes.ordered_list, match => ({
      order: Number(match[1]),
      delimiter: match[2],
      tight: true
    })),
    task,
    delimited(/(?<![*\\])(\*\*)(?![\s*])([^*]*[^\s*])\*\*$/, marks.strong.create()),
    delimited(/(?<![_\\\p{L}\p{N}])(__)(?![\s_])([^_]*[^\s_])__$/u, marks.strong.create({ delimiter: '_' })),
    delimited(/(?<![*\\\p{L}\p{N}])(\*)(?![\s*])([^*]*[^\s*])\*$/u, marks.em.create()),
    delimited(/(?<![_\\\p{L}\p{N}])(_)(?![\s_])([^_]*[^\s_])_$/u, marks.em.create({ delimiter: '_' })),
    delimited(/(?<![~\\])(~~)(?![\s~])([^~]*[^\s~])~~$/, marks.strike.create()),
    delimited(/(?<![`\\])(`)([^`\ufffc]+)`$/, marks.code.create()),
    link
  ]
})
