import MarkdownIt from 'markdown-it'
import type { MarkdownIt as Parser, Token } from 'markdown-it'
import { limits, tooMuchMarkup } from '../limits.ts'

/*
 * markdown-it 15 is compiled so that a helper is called for each field of a token, which takes a fifth of the time of
 * an ordinary parse, and a third for many small blocks: without this module, 256 KB of one-cell rows take longer than
 * 300 ms. These states create equal tokens by assignment; the rest is inherited.
 */

interface LightToken extends Token {}

/** A token with the fields that `new Token()` sets. */
class LightToken {
  type: string
  tag: string
  nesting: Token['nesting']
  attrs: Token['attrs'] = null
  map: Token['map'] = null
  level = 0
  children: Token['children'] = null
  content = ''
  markup = ''
  info = ''
  meta: Token['meta'] = null
  block = false
  hidden = false

  constructor(type: string, tag: string, nesting: Token['nesting']) {
    this.type = type
    this.tag = tag
    this.nesting = nesting
  }
}
Object.setPrototypeOf(LightToken.prototype, MarkdownIt.Token.prototype)

/** Minimum bytes of the JSON of a block: `{"type":"heading"}`. */
const MIN_BLOCK_BYTES = 18
/** Maximum blocks whose JSON can fit. A text with more is refused before memory is allocated for it. */
const MAX_BLOCKS = limits.jsonBytes / MIN_BLOCK_BYTES

export function makeLightTokens({ block, inline }: Parser) {
  block.State = class extends block.State {
    #blocks = 0

    override push(type: string, tag: string, nesting: Token['nesting']): Token {
      const token = new LightToken(type, tag, nesting)
      token.block = true
      if (nesting < 0) this.level--
      token.level = this.level
      if (nesting > 0 && ++this.#blocks > MAX_BLOCKS) throw tooMuchMarkup()
      if (nesting > 0) this.level++
      this.tokens.push(token)
      return token
    }
  }

  inline.State = class extends inline.State {
    override pushPending(): Token {
      const token = new LightToken('text', '', 0)
      token.content = this.pending
      token.level = this.pendingLevel
      this.tokens.push(token)
      this.pending = ''
      return token
    }

    override push(type: string, tag: string, nesting: Token['nesting']): Token {
      if (this.pending) this.pushPending()
      const token = new LightToken(type, tag, nesting)
      let meta
      if (nesting < 0) {
        this.level--
        this.delimiters = this._prev_delimiters.pop() ?? []
      }
      token.level = this.level
      if (nesting > 0) {
        this.level++
        this._prev_delimiters.push(this.delimiters)
        this.delimiters = []
        meta = { delimiters: this.delimiters }
      }
      this.pendingLevel = this.level
      this.tokens.push(token)
      this.tokens_meta.push(meta)
      return token
    }
  }
}
