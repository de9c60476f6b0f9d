import {
  codeBlock,
  codeSpan,
  escapeLineStart,
  escapeText,
  image,
  indented,
  link,
  quote,
  table
} from '../../markdown.ts'
import { objectOf, objectsOf, textOf, type JsonObject } from '../../values/values.ts'
import type { WikiContext } from './wiki-context.ts'

const BROWSE = /^https?:\/\/[^\s/]+(?:\/[^\s/]+)*\/browse\/([A-Z][A-Z0-9_]+-\d+)/

/** An unknown node becomes its text. */
export const adfToMarkdown = (doc: unknown, context: WikiContext): string =>
  blocks(objectsOf(objectOf(doc)['content']), context).trim()

const contentOf = (node: JsonObject) => objectsOf(node['content'])
const attrsOf = (node: JsonObject) => objectOf(node['attrs'])

const blocks = (nodes: readonly JsonObject[], context: WikiContext): string =>
  nodes
    .map(node => block(node, context))
    .filter(markdown => markdown !== '')
    .join('\n\n')

function block(node: JsonObject, context: WikiContext): string {
  const content = contentOf(node)
  const attrs = attrsOf(node)
  switch (node['type']) {
    case 'paragraph':
      return lines(inline(content, context))
    case 'heading':
      return `${'#'.repeat(Math.min(6, Math.max(1, Number(attrs['level'] ?? 1))))} ${inline(content, context)}`
    case 'bulletList':
    case 'decisionList':
      return items(content, () => '- ', context)
    case 'taskList':
      return items(content, item => (attrsOf(item)['state'] === 'DONE' ? '- [x] ' : '- [ ] '), context)
    case 'orderedList':
      return items(content, (_, n) => `${Number(attrs['order'] ?? 1) + n}. `, context)
    case 'codeBlock':
      return codeBlock(content.map(child => textOf(child['text']) ?? '').join(''), textOf(attrs['language']))
    case 'blockquote':
    case 'panel':
      return quote(blocks(content, context))
    case 'expand':
    case 'nestedExpand': {
      const title = textOf(attrs['title'])
      return [...(title ? [`**${escapeText(title)}**`] : []), blocks(content, context)].join('\n\n')
    }
    case 'rule':
      return '---'
    case 'table':
      return tableOf(content, context)
    case 'blockCard':
    case 'embedCard':
      return inline([node], context)
    default:
      return content.some(child => child['type'] === 'text') ? lines(inline(content, context)) : other(node, context)
  }
}

const other = (node: JsonObject, context: WikiContext) =>
  contentOf(node).length > 0 ? blocks(contentOf(node), context) : lines(inline([node], context))
const lines = (markdown: string) => markdown.split('\n').map(escapeLineStart).join('\n')

function items(
  nodes: readonly JsonObject[],
  bulletOf: (item: JsonObject, n: number) => string,
  context: WikiContext
): string {
  return nodes
    .map((item, n) => {
      // A nested task list is a sibling of the items.
      if (/List$/.test(String(item['type']))) return `  ${indented(block(item, context), 2)}`
      const bullet = bulletOf(item, n)
      const content = contentOf(item)
      const isInline = content.every(child => INLINE.has(String(child['type'])))
      const markdown = isInline ? inline(content, context) : itemBlocks(content, context)
      return `${bullet}${indented(markdown, bullet.startsWith('- ') ? 2 : bullet.length)}`
    })
    .join('\n')
}

/** A nested list follows its item's text without a blank line, so that the list stays tight. */
const itemBlocks = (content: readonly JsonObject[], context: WikiContext): string =>
  content
    .map((child, n) => `${n === 0 ? '' : /List$/.test(String(child['type'])) ? '\n' : '\n\n'}${block(child, context)}`)
    .join('')

function tableOf(rows: readonly JsonObject[], context: WikiContext): string {
  const cells = rows.map(row => contentOf(row).map(cell => blocks(contentOf(cell), context)))
  const header = contentOf(rows[0] ?? {})
  return table(
    cells,
    header.some(cell => cell['type'] === 'tableHeader')
  )
}

const INLINE = new Set([
  'text',
  'hardBreak',
  'mention',
  'emoji',
  'inlineCard',
  'date',
  'status',
  'placeholder',
  'media',
  'mediaInline'
])

const inline = (nodes: readonly JsonObject[], context: WikiContext): string =>
  nodes.map(node => inlineNode(node, context)).join('')

function inlineNode(node: JsonObject, context: WikiContext): string {
  const attrs = attrsOf(node)
  const text = textOf(attrs['text'])
  switch (node['type']) {
    case 'text':
      return applyMarks(node, context)
    case 'hardBreak':
      return '\\\n'
    case 'mention': {
      const id = String(attrs['id'])
      const name = text ?? context.people.get(id) ?? id
      return context.mention(id, `@${escapeText(name.replace(/^@/, ''))}`)
    }
    case 'emoji':
      return text ?? escapeText(textOf(attrs['shortName']) ?? '')
    case 'inlineCard':
    case 'blockCard':
    case 'embedCard': {
      const url = textOf(attrs['url']) ?? ''
      const key = BROWSE.exec(url)?.[1]
      return key === undefined ? link(url, url) : context.reference(key, link(url, url))
    }
    case 'date':
      return dayAt(attrs['timestamp'])
    case 'status':
      return `**${escapeText(text ?? '')}**`
    case 'media':
    case 'mediaInline': {
      const name = textOf(attrs['alt']) ?? textOf(attrs['__fileName']) ?? textOf(attrs['id']) ?? ''
      const url = textOf(attrs['url']) ?? context.attachments.get(name)
      return url === undefined ? escapeText(name) : image(name, url)
    }
    default:
      return contentOf(node).length > 0 ? inline(contentOf(node), context) : escapeText(text ?? '')
  }
}

/** An invalid time is unchanged. */
function dayAt(timestamp: unknown): string {
  const time = new Date(Number(timestamp))
  return Number.isNaN(time.getTime()) ? escapeText(textOf(timestamp) ?? '') : time.toISOString().slice(0, 10)
}

/** Markdown has no emphasis with spaces at its ends, so they are moved outside. */
function applyMarks(node: JsonObject, context: WikiContext): string {
  const text = typeof node['text'] === 'string' ? node['text'] : ''
  const marks = objectsOf(node['marks'])
  const has = (type: string) => marks.some(mark => mark['type'] === type)
  const href = textOf(attrsOf(marks.find(mark => mark['type'] === 'link') ?? {})['href'])
  const core = text.trim()
  if (core === '') return text
  const [before, after] = [text.slice(0, text.indexOf(core)), text.slice(text.trimEnd().length)]
  let markdown = has('code') ? codeSpan(core) : escapeText(core)
  if (has('strong')) markdown = `**${markdown}**`
  if (has('em')) markdown = `*${markdown}*`
  if (has('strike')) markdown = `~~${markdown}~~`
  if (href !== undefined) {
    const key = BROWSE.exec(href)?.[1]
    const plain = core === href ? link(href, href) : link(markdown, href)
    markdown = key === undefined ? plain : context.reference(key, plain)
    if (key !== undefined && core !== href && core !== key) markdown = `${escapeText(core)} (${markdown})`
  }
  return before + markdown + after
}
