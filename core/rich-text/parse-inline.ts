import type { Token } from 'markdown-it'
import { Mark } from 'prosemirror-model'
import type { Attrs, MarkType, Node, NodeType } from 'prosemirror-model'
import { schema } from './schema.ts'

const { nodes, marks } = schema

/** How deep marks may nest; the delimiters of deeper ones stay literal text. */
const deepestMark = 10

/** The nodes of a text block, from the inline tokens of markdown-it. */
export function readInline(tokens: readonly Token[]): Node[] {
  const content: Node[] = []
  /** The marks around each open mark, and the place where its content starts; null for one that nests too deep. */
  const enclosing: Array<{ marks: readonly Mark[]; start: number } | null> = []
  let active: readonly Mark[] = Mark.none
  let text = ''

  function endText() {
    if (text) content.push(schema.text(text, active))
    text = ''
  }

  function leaf(type: NodeType, attrs: Attrs | null = null) {
    endText()
    content.push(type.create(attrs, null, active))
  }

  function open(type: MarkType, attrs: Attrs | null) {
    endText()
    enclosing.push({ marks: active, start: content.length })
    const mark = type.create({ ...attrs, depth: active.length })
    const touches = mark.isInSet(content.at(-1)?.marks ?? Mark.none)
    active = (touches ? type.create({ ...mark.attrs, run: 1 }) : mark).addToSet(active)
  }

  function openEmphasis(type: MarkType, token: Token) {
    if (active.length < deepestMark) return open(type, type === marks.strike ? null : { delimiter: token.markup[0] })
    enclosing.push(null)
    text += token.markup
  }

  function close(token: Token) {
    const outer = enclosing.pop()
    if (!outer) {
      text += token.markup
      return
    }
    endText()
    if (content.length === outer.start) leaf(nodes.empty)
    active = outer.marks
  }

  for (const token of tokens) {
    switch (token.type) {
      case 'text':
        text += token.content
        break
      case 'text_special':
        if (token.content === '\n') leaf(nodes.line_feed)
        else text += token.content
        break
      case 'softbreak':
        text += '\n'
        break
      case 'hardbreak':
        leaf(nodes.hard_break)
        break
      case 'code_inline':
        endText()
        content.push(schema.text(token.content, marks.code.create().addToSet(active)))
        break
      case 'html_inline':
        leaf(nodes.html_inline, { html: token.content })
        break
      case 'image':
        leaf(nodes.image, {
          src: token.attrGet('src'),
          alt: altText(token.children ?? []),
          title: token.attrGet('title')
        })
        break
      case 'em_open':
        openEmphasis(marks.em, token)
        break
      case 'strong_open':
        openEmphasis(marks.strong, token)
        break
      case 's_open':
        openEmphasis(marks.strike, token)
        break
      case 'link_open': {
        const auto = token.markup === 'autolink' ? 'angle' : token.markup === 'linkify' ? 'bare' : null
        open(marks.link, { href: token.attrGet('href'), title: token.attrGet('title'), auto })
        break
      }
      case 'em_close':
      case 'strong_close':
      case 's_close':
      case 'link_close':
        close(token)
    }
  }
  endText()
  return content
}

/** The description of an image: its markup's text. */
function altText(tokens: readonly Token[]): string {
  return tokens
    .map(token => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n'
      return token.type === 'image' ? altText(token.children ?? []) : token.nesting === 0 ? token.content : ''
    })
    .join('')
}
