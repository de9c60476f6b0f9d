import type { NodeJson } from './json.ts'

export interface ProseRun {
  text: string
  isStruck: boolean
  /** The link around it; `isBare`: the text is the address itself. */
  link: { href: string; isBare: boolean } | null
}
export interface ProseBlock {
  /** Null for anything else: code, an image, HTML. */
  runs: Array<ProseRun | null>
  isQuoted: boolean
  /** True if the closest task around it is not ticked. */
  isOpenTask: boolean
}

/** HTML elements whose text is code or deleted. */
const NO_PROSE = /^<(?<close>\/?)(?:code|pre|kbd|samp|var|del|s|strike)\b/i

/** The prose of a document, by text block: without code, comments and HTML blocks. */
export function proseBlocks(doc: NodeJson): ProseBlock[] {
  const blocks: ProseBlock[] = []
  const visit = (node: NodeJson, within: Omit<ProseBlock, 'runs'>): void => {
    const { type, attrs = {}, content = [] } = node
    if (type === 'code_block') return
    const { checked } = attrs
    const inner = {
      isQuoted: within.isQuoted || type === 'blockquote',
      isOpenTask: type === 'list_item' && typeof checked === 'boolean' ? !checked : within.isOpenTask
    }
    if (content.some(({ type }) => type === 'text')) blocks.push({ runs: runsOf(content), ...inner })
    else for (const child of content) visit(child, inner)
  }
  visit(doc, { isQuoted: false, isOpenTask: false })
  return blocks
}

function runsOf(content: readonly NodeJson[]): ProseBlock['runs'] {
  let openElements = 0
  return content.map(({ type, attrs = {}, marks = [], text = '' }) => {
    if (type === 'html_inline') {
      const tag = NO_PROSE.exec(String(attrs['html']))
      if (tag !== null) openElements = Math.max(0, openElements + (tag.groups?.['close'] === '/' ? -1 : 1))
      return null
    }
    const isBreak = type === 'hard_break' || type === 'line_feed'
    const isProse = openElements === 0 && (isBreak || (type === 'text' && !marks.some(mark => mark.type === 'code')))
    if (!isProse) return null
    const link = marks.find(mark => mark.type === 'link')?.attrs
    return {
      text: isBreak ? '\n' : text,
      isStruck: marks.some(mark => mark.type === 'strike'),
      link: link === undefined ? null : { href: String(link['href']), isBare: typeof link['auto'] === 'string' }
    }
  })
}
