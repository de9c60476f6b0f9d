import type { Mark, Node } from 'prosemirror-model'
import { markdownIt } from '../read/markdown-it.ts'
import { schema } from '../schema.ts'
import { blocksOf, gridOf, isTight, spansOf } from '../shape.ts'
import type { Span } from '../shape.ts'

const { nodes, marks } = schema
const escape = markdownIt.utils.escapeHtml

/** The blocks of a container as HTML, for comparing documents: those with the same meaning have the same HTML. */
export function renderBlocks(parent: Node, tight = false): string {
  return blocksOf(parent)
    .map(block => render(block, tight))
    .join('\n')
}

/** One block as HTML; `tight` when its paragraphs are in a tight list. */
export function render(block: Node, tight = false): string {
  const { type, attrs } = block
  switch (type) {
    case nodes.paragraph:
      return tight ? renderInline(block) : `<p>${renderInline(block)}</p>`
    case nodes.heading:
      return `<h${attrs.level}>${renderInline(block)}</h${attrs.level}>`
    case nodes.blockquote:
      return `<blockquote>${renderBlocks(block)}</blockquote>`
    case nodes.horizontal_rule:
      return '<hr>'
    case nodes.code_block: {
      const language = /^\S+/.exec(attrs.params)?.[0]
      const className = language ? ` class="language-${escape(language)}"` : ''
      return `<pre><code${className}>${escape(block.textContent)}\n</code></pre>`
    }
    case nodes.bullet_list:
      return `<ul>${renderItems(block)}</ul>`
    case nodes.ordered_list:
      return `<ol${attrs.order === 1 ? '' : ` start="${attrs.order}"`}>${renderItems(block)}</ol>`
    case nodes.table:
      return renderTable(block)
    case nodes.html_block:
      return `<pre class="raw-html">${escape(attrs.html)}</pre>`
    case nodes.link_definition:
      return ''
    default:
      throw new Error(`${type.name} is not a block`)
  }
}

function renderItems(list: Node): string {
  const tight = isTight(list)
  return list.children
    .map(item => {
      const { checked } = item.attrs
      const box = checked === null ? '' : `<input type="checkbox" disabled${checked ? ' checked' : ''}> `
      return `<li${box && ' class="task"'}>${box}${renderBlocks(item, tight)}</li>`
    })
    .join('\n')
}

function renderTable(table: Node): string {
  const { rows, alignments } = gridOf(table)
  const styles = alignments.map(align => (align ? ` style="text-align:${align}"` : ''))
  const [head = '', ...body] = rows.map((cells, i) => {
    const tag = i === 0 ? 'th' : 'td'
    return `<tr>${styles.map((style, column) => renderCell(cells[column], tag, style)).join('')}</tr>`
  })
  return `<table><thead>${head}</thead>${body.length > 0 ? `<tbody>${body.join('\n')}</tbody>` : ''}</table>`
}

function renderCell(cell: Node | undefined, tag: string, style: string): string {
  return `<${tag}${style}>${cell && cell.childCount > 0 ? renderInline(cell) : ''}</${tag}>`
}

function renderInline(block: Node): string {
  return spansOf(block).map(renderSpan).join('')
}

function renderSpan(span: Span): string {
  switch (span.kind) {
    case 'text':
      return escape(span.text)
    case 'code':
      return `<code>${escape(span.text)}</code>`
    case 'break':
      return '<br>\n'
    case 'open':
      return openingTag(span.mark)
    case 'close':
      return `</${tagOf(span.mark)}>`
    case 'node':
      return renderLeaf(span.node)
  }
}

function openingTag(mark: Mark): string {
  const { href, title } = mark.attrs
  const attributes = mark.type === marks.link ? addressAttribute('href', href) + titleAttribute(title) : ''
  return `<${tagOf(mark)}${attributes}>`
}

function tagOf({ type }: Mark): string {
  return type === marks.link ? 'a' : type === marks.strike ? 's' : type.name
}

function renderLeaf({ type, attrs }: Node): string {
  switch (type) {
    case nodes.image:
      return `<img${addressAttribute('src', attrs.src)} alt="${escape(attrs.alt ?? '')}"${titleAttribute(attrs.title)}>`
    case nodes.html_inline:
      return `<code class="raw-html">${escape(attrs.html.replace(/\s+/g, ' '))}</code>`
    case nodes.line_feed:
      return '\n'
    case nodes.empty:
      return ''
    default:
      throw new Error(`${type.name} does not stand in text`)
  }
}

function addressAttribute(name: string, value: string): string {
  return ` ${name}="${escape(markdownIt.normalizeLink(value))}"`
}

function titleAttribute(value: string | null): string {
  return value ? ` title="${escape(value)}"` : ''
}
