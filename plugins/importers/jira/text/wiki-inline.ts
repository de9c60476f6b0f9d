import { codeSpan, escapeText, image, link } from '../../markdown.ts'
import type { WikiContext } from './wiki-context.ts'

/** Emphasis begins and ends at a space, punctuation, or the end of the text. */
const [BEFORE, AFTER] = [String.raw`(?<![\p{L}\p{N}\\])`, String.raw`(?![\p{L}\p{N}])`]
const emphasis = (name: string, mark: string) =>
  String.raw`${BEFORE}${mark}(?!\s|${mark})(?<${name}>[^\n]{0,500}?[^\s\\])${mark}${AFTER}`
const TOKEN = new RegExp(
  [
    String.raw`(?<break>\\\\)`,
    String.raw`\\(?<escaped>[^\p{L}\p{N}\s])`,
    String.raw`\{\{(?<code>[^\n]{1,2000}?)\}\}`,
    String.raw`\[(?<link>[^\]\n]{1,2000})\]`,
    String.raw`!(?<image>[^\s!|][^!\n|]{0,500})(?:\|[^!\n]{0,200})?!`,
    String.raw`(?<url>https?://[^\s|<>\]}"{]+)`,
    String.raw`(?<left>\{(?:color|anchor)(?::[^}\n]{0,100})?\})`,
    String.raw`(?<key>(?<![\p{L}\p{N}/_.-])[A-Z][A-Z0-9_]{1,19}-[1-9]\d{0,8}(?![\p{L}\p{N}_-]))`,
    emphasis('bold', String.raw`\*`),
    emphasis('italic', '_'),
    emphasis('struck', '-'),
    emphasis('inserted', String.raw`\+`),
    emphasis('cited', String.raw`\?\?`)
  ].join('|'),
  'gu'
)
const IMAGE = /^https?:\/\/|\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?)$/i
const BROWSE = /^https?:\/\/[^\s/]+(?:\/[^\s/]+)*\/browse\/([A-Z][A-Z0-9_]+-\d+)\/?$/

const withoutEscapes = (wiki: string): string => wiki.replaceAll(/(?<!\\)\\([^\p{L}\p{N}\s\\])/gu, '$1')

export function inlineMarkdown(wiki: string, context: WikiContext): string {
  const token = new RegExp(TOKEN)
  let written = ''
  let from = 0
  for (let match = token.exec(wiki); match; match = token.exec(wiki)) {
    const markdown = tokenMarkdown(match, context)
    written += escapeText(wiki.slice(from, match.index)) + (markdown ?? escapeText(match[0][0]!))
    // No token: its first character is text.
    from = match.index + (markdown === undefined ? 1 : match[0].length)
    token.lastIndex = from
  }
  return written + escapeText(wiki.slice(from))
}

function tokenMarkdown({ 0: all, groups = {} }: RegExpExecArray, context: WikiContext): string | undefined {
  const { escaped, code, url, key, bold, italic, struck, inserted, cited } = groups
  const inner = (text: string) => inlineMarkdown(text, context)
  if (groups['break'] !== undefined) return '\\\n'
  if (escaped !== undefined) return escapeText(escaped)
  if (code !== undefined) return codeSpan(withoutEscapes(code))
  if (groups['link'] !== undefined) return linkMarkdown(groups['link'], context)
  if (groups['image'] !== undefined) return imageMarkdown(groups['image'], context)
  if (url !== undefined) return urlMarkdown(url, context)
  if (groups['left'] !== undefined) return ''
  if (key !== undefined) return context.reference(key, escapeText(key))
  if (bold !== undefined) return `**${inner(bold)}**`
  if (italic !== undefined) return `*${inner(italic)}*`
  if (struck !== undefined) return `~~${inner(struck)}~~`
  if (inserted !== undefined) return inner(inserted)
  if (cited !== undefined) return `*${inner(cited)}*`
  return escapeText(all)
}

/** Punctuation at its end belongs to the sentence. */
function urlMarkdown(url: string, context: WikiContext): string {
  const after = /(?<![.,;:!?)*])[.,;:!?)*]+$/.exec(url)?.[0] ?? ''
  const address = url.slice(0, url.length - after.length)
  const browse = BROWSE.exec(address)
  return `${browse ? context.reference(browse[1]!, address) : address}${escapeText(after)}`
}

/**
 * `[label|address]`, `[address]`, `[^file]`, `[~person]`.
 * @returns undefined for anything else
 */
function linkMarkdown(wiki: string, context: WikiContext): string | undefined {
  if (wiki.startsWith('~')) return personMention(wiki.slice(1), context)
  if (wiki.startsWith('^')) return attachment(wiki.slice(1), context)
  const parts = wiki.split('|')
  const target = (parts.length === 1 ? wiki : parts[1]!).trim()
  const label = parts.length === 1 ? undefined : parts[0]!.trim()
  if (target.startsWith('~')) return personMention(target.slice(1), context)
  if (target.startsWith('^')) return attachment(target.slice(1), context, label)
  if (target.startsWith('#') && label !== undefined) return inlineMarkdown(label, context)
  if (!/^(?:https?:\/\/|mailto:|ftp:\/\/)\S+$/i.test(target)) return undefined
  const shown = label === undefined || label === '' ? target.replace(/^mailto:/, '') : label
  const plain = shown === target ? link(target, target) : link(inlineLabel(shown, context), target)
  const key = BROWSE.exec(target)?.[1]
  if (key === undefined) return plain
  return shown === target || shown === key
    ? context.reference(key, plain)
    : `${inlineMarkdown(shown, context)} (${context.reference(key, plain)})`
}

/** A label contains no links. */
const inlineLabel = (wiki: string, { reference: _, ...context }: WikiContext) =>
  inlineMarkdown(wiki.replaceAll(/https?:\/\//g, ''), { ...context, reference: (key, otherwise = key) => otherwise })

function personMention(user: string, { people, mention }: WikiContext): string {
  const name = user.replace(/^accountid:/, '')
  return mention(name, `@${escapeText(people.get(name) ?? name)}`)
}

function attachment(name: string, { attachments }: WikiContext, label = name): string {
  const url = attachments.get(name)
  if (url === undefined) return escapeText(label === name ? name : `${label} (${name})`)
  return link(escapeText(label), url)
}

function imageMarkdown(name: string, { attachments }: WikiContext): string | undefined {
  const url = attachments.get(name)
  if (url !== undefined) return image(name, url)
  if (!IMAGE.test(name)) return undefined
  return /^https?:\/\//.test(name) ? image('', name) : escapeText(`!${name}!`)
}
