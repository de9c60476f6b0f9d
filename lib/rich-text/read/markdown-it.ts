import MarkdownIt from 'markdown-it'
import type { MarkdownIt as Parser, Ruler, StateBlock, StateCore, Token } from 'markdown-it'
import { makeLightTokens } from './light-tokens.ts'
import { limits } from '../limits.ts'

/**
 * markdown-it, configured for CommonMark with GFM's tables, strikethrough, task items and autolinks. It drops content
 * beyond `maxNesting`, so deeper containers are refused before that and stay literal text.
 */
export const markdownIt = new MarkdownIt({ html: true, linkify: true })

/** Leaves room below a container for the deepest leaf: the text of a table cell of a list item. */
const MAX_CONTAINER_LEVEL = limits.depth - 6
/** Maximum depth of brackets; markdown-it tries every pairing up to this depth. */
export const MAX_BRACKET_DEPTH = 20
/** Each line is visited once for every container around it: the more lines, the fewer levels. */
const MAX_LINE_VISITS = 500_000
/** Containers up to this level may hold any number of lines. */
const MAX_UNCOUNTED_LEVEL = 6
/** Maximum cells of a table per character of its text; a cell takes about 46 bytes of JSON, and three tokens. */
const MAX_CELLS_PER_CHARACTER = 3
const TOKENS_PER_CELL = 3

markdownIt.core.ruler.disable(['strip_references', 'replacements', 'smartquotes', 'text_join'])
// The text of an automatic link stays as written.
markdownIt.normalizeLinkText = url => url
linkLikeGfm(markdownIt)
makeLightTokens(markdownIt)

for (const container of ['list', 'blockquote']) {
  wrapRule(markdownIt.block.ruler, container, open => (state, startLine, endLine, silent) => {
    const fits = state.level <= MAX_UNCOUNTED_LEVEL || state.level * (endLine - startLine) <= MAX_LINE_VISITS
    return fits && state.level <= MAX_CONTAINER_LEVEL && open(state, startLine, endLine, silent)
  })
}
// markdown-it has one limit for the nesting of blocks, which is limited above, and of brackets.
wrapRule(markdownIt.core.ruler, 'block', readBlocks => state => {
  state.md.set({ maxNesting: limits.depth + 50 })
  readBlocks(state)
})
wrapRule(markdownIt.core.ruler, 'inline', readText => state => {
  state.md.set({ maxNesting: MAX_BRACKET_DEPTH })
  readText(state)
})
readFootnotesAsText(markdownIt)
// The token of a definition has no text of its own.
wrapRule(markdownIt.block.ruler, 'reference', read => (state, startLine, endLine, silent) => {
  const isDefinition = read(state, startLine, endLine, silent)
  const token = state.tokens.at(-1)
  if (isDefinition && !silent && token) {
    token.content = state.md.utils.asciiTrim(state.getLines(startLine, state.line, state.blkIndent, false))
  }
  return isDefinition
})
// markdown-it fills up short rows with cells, 65,536 for every table.
wrapRule(markdownIt.block.ruler, 'table', read => (state, startLine, endLine, silent) => {
  if (!silent) openTables.set(state, { line: startLine, tokens: state.tokens.length })
  return read(state, startLine, endLine, silent)
})
markdownIt.block.ruler.before('fence', 'end_of_table', endsTable, { alt: ['blockquote'] })
// The search for addresses takes as long as the rest of parsing, and few texts contain one.
wrapRule(markdownIt.core.ruler, 'linkify', link => state => {
  if (/:\/\/|@|www\.|mailto:/i.test(state.src)) link(state)
})
markdownIt.core.ruler.before('inline', 'tasks', markTasks)

/** GFM's addresses without angle brackets: those that begin with http, https, www or mailto, and e-mail addresses. */
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

/** Keeps GitHub's footnotes, `[^1]: text`, from being parsed as link definitions. */
export function readFootnotesAsText({ block }: Parser) {
  wrapRule(block.ruler, 'reference', read => (state, startLine, endLine, silent) => {
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)
    return !state.src.startsWith('[^', start) && read(state, startLine, endLine, silent)
  })
}

const openTables = new WeakMap<StateBlock, { line: number; tokens: number }>()

/** True if the table that is being parsed ends before a line, because it has too many cells for its characters. */
function endsTable(state: StateBlock, line: number, _endLine: number, silent: boolean): boolean {
  const start = silent && state.parentType === 'table' ? openTables.get(state) : undefined
  if (!start) return false
  const characters = (state.bMarks[line] ?? 0) - (state.bMarks[start.line] ?? 0)
  return state.tokens.length - start.tokens > TOKENS_PER_CELL * MAX_CELLS_PER_CHARACTER * characters
}

/** A task item, attached to its `list_item_open` token. */
interface Task {
  checked: boolean
  /** Line of the source, from 0, that has the box. */
  line: number
}

const tasks = new WeakMap<Token, Task>()

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

export function wrapRule<Args extends unknown[], Result>(
  ruler: Ruler<Args, Result>,
  name: string,
  wrap: (rule: (...args: Args) => Result) => (...args: Args) => Result
) {
  const rule = ruler.__rules__.find(each => each.name === name)
  if (!rule) throw new Error(`markdown-it has no rule "${name}"`)
  ruler.at(name, wrap(rule.fn), { alt: rule.alt })
}

/** As browsers ignore them: https://url.spec.whatwg.org/#concept-basic-url-parser */
const IGNORED = /^[\0-\x20]+|[\t\n\r]/g

/** The rule that an address breaks; null when it is valid. */
export function checkAddress(address: string): string | null {
  return markdownIt.validateLink(markdownIt.normalizeLink(address.replaceAll(IGNORED, '')))
    ? null
    : 'an address that no browser runs (javascript:, vbscript:, file: and data: are refused)'
}

export function checkHtmlBlock(html: string): string | null {
  const [token, ...more] = markdownIt.parse(html, {})
  return token?.type === 'html_block' && more.length === 0 && markdownIt.utils.asciiTrim(token.content) === html
    ? null
    : 'what CommonMark reads as one HTML block'
}

export function checkHtmlInline(html: string): string | null {
  // It is part of a paragraph, so none of its lines may end the paragraph. Alone, it could be an HTML block.
  const [open, inline, close, ...more] = markdownIt.parse(`a${html}`, {})
  const [text, token, ...others] = inline?.children ?? []
  const isParagraph = open?.type === 'paragraph_open' && close?.type === 'paragraph_close' && more.length === 0
  const isOnePiece = text?.content === 'a' && token?.type === 'html_inline' && others.length === 0
  return isParagraph && isOnePiece && token.content === html
    ? null
    : 'what CommonMark reads as one piece of inline HTML'
}

export function checkDefinition(markdown: string): string | null {
  const [token, ...more] = markdownIt.parse(markdown, {})
  return token?.type === 'reference_definition' && more.length === 0 && token.content === markdown
    ? null
    : 'one link definition: [label]: address "title"'
}
