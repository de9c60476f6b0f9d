import type { Node } from 'prosemirror-model'
import sanitizeHtml from 'sanitize-html'
import { renderBlocks } from '../write/render.ts'
import { checkTables } from '../shape.ts'

/** An address with an allowed scheme, or without a scheme. */
const ALLOWED_ADDRESS = /^(?:https?:|mailto:|[^:/?#]*(?:[/?#]|$))/i

/**
 * The document as sanitized HTML: its scripts never run. Raw HTML is shown as text; links lead to http, https or mailto
 * addresses or within the site, images to http or https addresses or within the site.
 * @throws {RichTextError} TOO_LARGE when its tables lack too many cells
 */
export function toHtml(doc: Node): string {
  checkTables(doc)
  return sanitizeHtml(renderBlocks(doc), {
    allowedTags: [
      'p',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'blockquote',
      'hr',
      'ul',
      'ol',
      'li',
      'input',
      'pre',
      'code',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
      'em',
      'strong',
      's',
      'a',
      'img',
      'br'
    ],
    allowedAttributes: {
      a: ['href', 'title', 'rel'],
      img: ['src', 'alt', 'title'],
      ol: ['start'],
      input: ['type', 'checked', 'disabled'],
      code: ['class'],
      pre: ['class'],
      li: ['class'],
      th: ['style'],
      td: ['style']
    },
    allowedClasses: { code: ['language-*', 'raw-html'], pre: ['raw-html'], li: ['task'] },
    allowedStyles: { '*': { 'text-align': [/^(left|center|right)$/] } },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['http', 'https'] },
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href = '', title = '' }) => ({
        tagName,
        attribs: {
          ...(ALLOWED_ADDRESS.test(href) && { href }),
          ...(title && { title }),
          rel: 'nofollow noopener noreferrer'
        }
      })
    }
  })
}
