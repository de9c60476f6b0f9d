import MarkdownIt from 'markdown-it'
import type { MarkdownIt as Parser, Ruler, StateCore, Token } from 'markdown-it'
import { makeLightTokens } from './light-tokens.ts'
import { limits } from './limits.ts'

/**
 * markdown-it, set to CommonMark with GFM's tables, strikethrough, task items and autolinks, and to lose nothing:
 * it drops what nests deeper than `maxNesting`, so the containers are refused before, and stay literal text.
 */
export const markdownIt = new MarkdownIt({ html: true, linkify: true })

/** Below a container at this level there is room for the deepest leaf: the text of a table cell of a list item. */
const deepestContainer = limits.depth - 6
/** Brackets nest this deep at most; markdown-it tries every pairing up to here. */
const deepestBracket = 20
/** A line is looked at once for every container around it, so many lines do not nest as deep. */
const mostLooks = 500_000
const freeLevels = 6

markdownIt.core.ruler.disable(['strip_references', 'replacements', 'smartquotes', 'text_join'])
// The text of an automatic link is kept as it was written.
markdownIt.normalizeLinkText = url => url
linkLikeGfm(markdownIt)
makeLightTokens(markdownIt)

for (const container of ['list', 'blockquote']) {
  wrapRule(markdownIt.block.ruler, container, open => (state, startLine, endLine, silent) => {
    const fits = state.level <= freeLevels || state.level * (endLine - startLine) <= mostLooks
    return fits && state.level <= deepestContainer && open(state, startLine, endLine, silent)
  })
}
// markdown-it has one limit for blocks, whose nesting is refused above, and for brackets.
wrapRule(markdownIt.core.ruler, 'block', readBlocks => state => {
  state.md.set({ maxNesting: limits.depth + 50 })
  readBlocks(state)
})
wrapRule(markdownIt.core.ruler, 'inline', readText => state => {
  state.md.set({ maxNesting: deepestBracket })
  readText(state)
})
// The token of a definition carries no text of its own.
wrapRule(markdownIt.block.ruler, 'reference', read => (state, startLine, endLine, silent) => {
  const found = read(state, startLine, endLine, silent)
  const token = state.tokens.at(-1)
  if (found && !silent && token) {
    token.content = state.md.utils.asciiTrim(state.getLines(startLine, state.line, state.blkIndent, false))
  }
  return found
})
// The search for addresses costs as much as all the rest, and few texts hold one.
wrapRule(markdownIt.core.ruler, 'linkify', link => state => {
  if (/:\/\/|@|www\.|mailto:/i.test(state.src)) link(state)
})
markdownIt.core.ruler.before('inline', 'tasks', markTasks)

/** Of the addresses without angle brackets, GFM links those that begin with http, https, www or mailto, and e-mail addresses. */
export function linkLikeGfm({ linkify }: Parser) {
  linkify
    .add('ftp:', null)
    .add('//', null)
    .add('www.', {
      validate(text, pos, self) {
        const address = self.re.get_relative_proto_validator()
        address.lastIndex = pos
        return address.exec(text)?.[0].length ?? 0
      },
      normalize(match) {
        match.url = `http://${match.url}`
      }
    })
}

/** A task item, as noted for its `list_item_open` token. */
interface Task {
  checked: boolean
  /** Line of the source, from 0, that has the box. */
  line: number
}

const tasks = new WeakMap<Token, Task>()

/** What `markTasks` found out about an item, if it is a task. */
export function taskOf(item: Token): Task | undefined {
  return tasks.get(item)
}

/** GFM's task items: a box and a space at the start of an item's first paragraph. Takes the box out of the text. */
function markTasks({ tokens }: StateCore) {
  tokens.forEach((item, i) => {
    const text = tokens[i + 2]
    if (item.type !== 'list_item_open' || tokens[i + 1]?.type !== 'paragraph_open' || text?.type !== 'inline') return
    const box = /^\[([ xX])\](?:[ \t]+(?![ \t\n])|$)/.exec(text.content)
    if (!box) return
    tasks.set(item, { checked: box[1] !== ' ', line: text.map?.[0] ?? 0 })
    text.content = text.content.slice(box[0].length)
  })
}

function wrapRule<Args extends unknown[], Result>(
  ruler: Ruler<Args, Result>,
  name: string,
  wrap: (rule: (...args: Args) => Result) => (...args: Args) => Result
) {
  const rule = ruler.__rules__.find(each => each.name === name)
  if (!rule) throw new Error(`markdown-it has no rule "${name}"`)
  ruler.at(name, wrap(rule.fn), { alt: rule.alt })
}

/** What a link's or an image's address must be, or null when `address` is that. */
export function checkAddress(address: string): string | null {
  return markdownIt.validateLink(markdownIt.normalizeLink(address))
    ? null
    : 'an address that no browser runs (javascript:, vbscript:, file: and data: are refused)'
}

/** What the text of an html_block must be, or null when `html` is that. */
export function checkHtmlBlock(html: string): string | null {
  const [token, ...more] = markdownIt.parse(html, {})
  return token?.type === 'html_block' && more.length === 0 && markdownIt.utils.asciiTrim(token.content) === html
    ? null
    : 'what CommonMark reads as one HTML block'
}

/** What the text of an html_inline must be, or null when `html` is that. */
export function checkHtmlInline(html: string): string | null {
  const [token, ...more] = markdownIt.parseInline(html, {})[0]?.children ?? []
  return token?.type === 'html_inline' && more.length === 0 && token.content === html
    ? null
    : 'what CommonMark reads as one piece of inline HTML'
}

/** What the text of a link_definition must be, or null when `markdown` is that. */
export function checkDefinition(markdown: string): string | null {
  const [token, ...more] = markdownIt.parse(markdown, {})
  return token?.type === 'reference_definition' && more.length === 0 && token.content === markdown
    ? null
    : 'one link definition: [label]: address "title"'
}
