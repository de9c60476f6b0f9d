import { RichTextError, sourceParts, type SourcePart } from '../../lib/rich-text/index.ts'
import { image } from './markdown.ts'

/**
 * Until all issues and people are known, a reference in a text is its old key (for a person: `@` and the id) and the
 * replacement text, between characters of Unicode's private use area.
 */
const [START, BETWEEN, END] = ['\uE000', '\uE002', '\uE001']
const REFERENCE = /\uE000([^\uE000-\uE002\s]{1,200})\uE002([^\uE000-\uE002]*)\uE001/g

export const reference = (oldKey: string, otherwise = oldKey): string => `${START}${oldKey}${BETWEEN}${otherwise}${END}`
/** @param otherwise the text if the source has no such person */
export const mention = (id: string, otherwise: string): string =>
  /^[^\s\uE000-\uE002]{1,199}$/.test(id) ? reference(`@${id}`, otherwise) : otherwise

export interface Referred {
  /** By old key, uppercase. */
  issues: ReadonlyMap<string, string>
  /** By lowercase id and alias. */
  people: ReadonlyMap<string, string>
  /** Old keys that texts name without markup; undefined: texts are unchanged. */
  keysInTexts: RegExp | undefined
}

interface Edit {
  start: number
  end: number
  text: string
}

/** @param edits in order */
export function withEdits(text: string, edits: readonly Edit[]): string {
  let changed = ''
  let at = 0
  for (const { start, end, text: replacement } of edits) {
    changed += text.slice(at, start) + replacement
    at = end
  }
  return changed + text.slice(at)
}

/** Empty with too much markup: it is cut when it is stored, which is reported. */
export function partsOf(markdown: string): SourcePart[] {
  try {
    return sourceParts(markdown)
  } catch (error) {
    if (error instanceof RichTextError) return []
    throw error
  }
}

/** Each within one part. @param pattern global */
export function* matchesInProse(
  markdown: string,
  parts: readonly SourcePart[],
  pattern: RegExp
): Generator<RegExpExecArray> {
  let n = 0
  for (const match of markdown.matchAll(pattern)) {
    const end = match.index + match[0].length
    while (n < parts.length && parts[n]!.end < end) n++
    const part = parts[n]
    if (part?.kind === 'prose' && part.start <= match.index) yield match
  }
}

const TOKEN = new RegExp(
  [
    String.raw`\uE000[^\uE000\uE001]*\uE001`,
    String.raw`(?<![\p{L}\p{N}_.@/])@(?<person>[\p{L}\p{N}][\p{L}\p{N}_.:@-]{0,199})`,
    String.raw`(?<![\p{L}\p{N}_.@/#-])(?<key>\p{L}[\p{L}\p{N}_]*(?:[-.][\p{L}\p{N}_]+){1,20})(?![\p{L}\p{N}_-])`
  ].join('|'),
  'gimu'
)

/**
 * By those of the import format, or by the original text if the target is left out. HTML images become markdown images.
 */
export function resolveReferences(markdown: string, referred: Referred): string {
  const { issues, people, keysInTexts } = referred
  const text = keysInTexts === undefined ? markdown : withTokens(markdown, keysInTexts, referred)
  return text.replaceAll(
    REFERENCE,
    (_, name: string, otherwise: string) =>
      (name.startsWith('@') ? personNamed(people, name.slice(1)) : issueReference(issues, name)) ?? otherwise
  )
}

function withTokens(markdown: string, keysInTexts: RegExp, { issues, people }: Referred): string {
  const parts = partsOf(markdown)
  const edits: Edit[] = []
  const issueNamed = (name: string) => (keysInTexts.test(name) ? issueReference(issues, name) : undefined)
  for (const { 0: all, index, groups } of matchesInProse(markdown, parts, TOKEN)) {
    const { person, key } = groups as { person?: string; key?: string }
    const text =
      person !== undefined
        ? find(person, /(?<![-.:@])[-.:@]+$/, name => personNamed(people, name))
        : key !== undefined
          ? find(key, /\.\p{L}.*$/u, issueNamed)
          : undefined
    if (text !== undefined) edits.push({ start: index, end: index + all.length, text })
  }
  for (const { kind, start, end } of parts) {
    const text = kind === 'image' ? imageOf(markdown.slice(start, end)) : undefined
    if (text !== undefined) edits.push({ start, end, text })
  }
  return withEdits(
    markdown,
    edits.toSorted((a, b) => a.start - b.start)
  )
}

function issueReference(issues: Referred['issues'], oldKey: string): string | undefined {
  const externalId = issues.get(oldKey.toUpperCase())
  return externalId === undefined ? undefined : `<issue:${externalId}>`
}

function personNamed(people: Referred['people'], name: string): string | undefined {
  const username = people.get(name.toLowerCase())
  return username === undefined ? undefined : `@${username}`
}

function find(token: string, end: RegExp, named: (name: string) => string | undefined): string | undefined {
  const match = named(token)
  const name = token.replace(end, '')
  if (match !== undefined || name === token) return match
  const shorter = named(name)
  return shorter === undefined ? undefined : shorter + token.slice(name.length)
}

const ENTITIES: Record<string, string> = { amp: '&', quot: '"', '#39': "'", apos: "'", lt: '<', gt: '>' }

function imageOf(tag: string): string | undefined {
  const { source, alt } = imageIn(tag)
  return source !== undefined && /^https?:\/\//i.test(source) ? image(alt, source) : undefined
}

export function imageIn(tag: string): { alt: string; source: string | undefined } {
  const attribute = (name: string) => {
    const [, ...values] =
      new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, 'i').exec(tag) ?? []
    const value = values.find(value => value !== undefined)
    return value
      ?.replaceAll(/&(\w{2,4}|#39);/g, (all, entity: string) => ENTITIES[entity] ?? all)
      .replaceAll(/\s+/g, ' ')
  }
  return { alt: attribute('alt') ?? '', source: attribute('src')?.trim() }
}
