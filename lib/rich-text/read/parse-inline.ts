import type { Token } from 'markdown-it'
import { Mark } from 'prosemirror-model'
import type { Attrs, MarkType, Node, NodeType } from 'prosemirror-model'
import { minJsonBytes, tooMuchMarkup } from '../limits.ts'
import { withLineFeeds } from './line-ends.ts'
import { schema } from '../schema.ts'

const { nodes, marks } = schema

/** Maximum depth of marks; the delimiters of deeper ones stay literal text. */
const MAX_MARK_DEPTH = 10

/** The nodes of a text block, from the inline tokens of markdown-it. @throws RichTextError TOO_LARGE */
export function readInline(tokens: readonly Token[], maxJsonBytes = Infinity): Node[] {
  const builder = new InlineBuilder(maxJsonBytes)
  for (const token of tokens) readToken(token, builder)
  return builder.finish()
}

function readToken(token: Token, builder: InlineBuilder) {
  switch (token.type) {
    case 'text':
      return builder.addText(token.content)
    case 'text_special':
      // A character reference. A line end in this form is white space, not a line break.
      return /^[\r\n]$/.test(token.content) ? builder.addLeaf(nodes.line_feed) : builder.addText(token.content)
    case 'softbreak':
      return builder.addText('\n')
    case 'hardbreak':
      return builder.addLeaf(nodes.hard_break)
    case 'code_inline':
      return builder.addCode(token.content)
    case 'html_inline':
      return builder.addLeaf(nodes.html_inline, { html: token.content })
    case 'image':
      return builder.addLeaf(nodes.image, {
        src: token.attrGet('src'),
        alt: withLineFeeds(altText(token.children ?? [])),
        title: titleOf(token)
      })
    case 'em_open':
      return builder.openEmphasis(marks.em, token)
    case 'strong_open':
      return builder.openEmphasis(marks.strong, token)
    case 's_open':
      return builder.openEmphasis(marks.strike, token)
    case 'link_open': {
      const auto = token.markup === 'autolink' ? 'angle' : token.markup === 'linkify' ? 'bare' : null
      return builder.open(marks.link, { href: token.attrGet('href'), title: titleOf(token), auto })
    }
    case 'em_close':
    case 'strong_close':
    case 's_close':
    case 'link_close':
      return builder.close(token)
  }
}

class InlineBuilder {
  readonly #content: Node[] = []
  /** The marks around each open mark, and the start of its content; null beyond the maximum depth. */
  readonly #enclosing: Array<{ marks: readonly Mark[]; start: number } | null> = []
  #active: readonly Mark[] = Mark.none
  #text = ''
  #jsonBytesLeft: number

  constructor(maxJsonBytes: number) {
    this.#jsonBytesLeft = maxJsonBytes
  }

  addText(text: string) {
    this.#text += text
  }

  addCode(code: string) {
    this.#endText()
    this.#add(schema.text(code, marks.code.create().addToSet(this.#active)))
  }

  addLeaf(type: NodeType, attrs: Attrs | null = null) {
    this.#endText()
    this.#add(type.create(attrs, null, this.#active))
  }

  open(type: MarkType, attrs: Attrs | null) {
    this.#endText()
    this.#enclosing.push({ marks: this.#active, start: this.#content.length })
    const mark = type.create({ ...attrs, depth: this.#active.length })
    const touches = mark.isInSet(this.#content.at(-1)?.marks ?? Mark.none)
    this.#active = (touches ? type.create({ ...mark.attrs, run: 1 }) : mark).addToSet(this.#active)
  }

  openEmphasis(type: MarkType, token: Token) {
    if (this.#active.length < MAX_MARK_DEPTH) {
      return this.open(type, type === marks.strike ? null : { delimiter: token.markup[0] })
    }
    this.#enclosing.push(null)
    this.#text += token.markup
  }

  close(token: Token) {
    const outer = this.#enclosing.pop()
    if (!outer) {
      this.#text += token.markup
      return
    }
    this.#endText()
    if (this.#content.length === outer.start) this.addLeaf(nodes.empty)
    this.#active = outer.marks
  }

  finish(): Node[] {
    this.#endText()
    return this.#content
  }

  #endText() {
    if (this.#text) this.#add(schema.text(this.#text, this.#active))
    this.#text = ''
  }

  #add(node: Node) {
    this.#jsonBytesLeft -= minJsonBytes(node)
    if (this.#jsonBytesLeft < 0) throw tooMuchMarkup()
    this.#content.push(node)
  }
}

function titleOf(token: Token): string | null {
  const title = token.attrGet('title')
  return title === null ? null : withLineFeeds(title.toString())
}

function altText(tokens: readonly Token[]): string {
  return tokens
    .map(token => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n'
      return token.type === 'image' ? altText(token.children ?? []) : token.nesting === 0 ? token.content : ''
    })
    .join('')
}
