import { RichTextError, sourceParts, type SourcePart } from '../../../lib/rich-text/index.ts'
import { image } from '../markdown.ts'

/**
 * Until all issues and people are known, a reference to one stands in a text as its old key (of a person: `@` and the
 * id) and what to write if it never comes, between characters of Unicode's private use area.
 */
const [START, BETWEEN, END] = ['\uE000', '\uE002', '\uE001']
const REFERENCE = /\uE000([^\uE000-\uE002\s]{1,200})\uE002([^\uE000-\uE002]*)\uE001/g

export const reference = (oldKey: string, otherwise = oldKey): string => `${START}${oldKey}${BETWEEN}${otherwise}${END}`
/** A person by an id or alias. @param otherwise what to write if there is nobody of that name in the source */
export const mention = (id: string, otherwise = `@${id}`): string =>
  /^[^\s\uE000-\uE002]{1,199}$/.test(id) ? reference(`@${id}`, otherwise) : otherwise

/** Whom and what the texts of a source may name. */
export interface Referred {
  /** External ids of issues by their old keys, in capitals. */
  issues: ReadonlyMap<string, string>
  /** How texts name people, by their ids and aliases in small letters. */
  people: ReadonlyMap<string, string>
  /** Old keys that texts name without markup; undefined where texts stay as they are. */
  keysInTexts: RegExp | undefined
}

/** A change of a text: what stands from `start` up to `end` becomes `text`. */
interface Edit {
  start: number
  end: number
  text: string
}

/** Changes parts of a text, and nothing else. @param edits in order */
export function withEdits(text: string, edits: readonly Edit[]): string {
  let changed = ''
  let at = 0
  for (const { start, end, text: replacement } of edits) {
    changed += text.slice(at, start) + replacement
    at = end
  }
  return changed + text.slice(at)
}

/** The parts of a markdown text; none where it has too much markup: it is cut when it is stored, which is reported. */
export function partsOf(markdown: string): SourcePart[] {
  try {
    return sourceParts(markdown)
  } catch (error) {
    if (error instanceof RichTextError) return []
    throw error
  }
}

/** The matches of a global pattern that lie in the prose of a markdown text, each within one part of it. */
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

/** References and what looks like them; then mentions and what may be keys. */
const TOKEN = new RegExp(
  [
    String.raw`\uE000[^\uE000\uE001]*\uE001`,
    String.raw`(?<![\p{L}\p{N}_.@/])@(?<person>[\p{L}\p{N}][\p{L}\p{N}_.:@-]{0,199})`,
    String.raw`(?<![\p{L}\p{N}_.@/#-])(?<key>\p{L}[\p{L}\p{N}_]*(?:[-.][\p{L}\p{N}_]+){1,20})(?![\p{L}\p{N}_-])`
  ].join('|'),
  'gimu'
)

/**
 * References, old keys and mentions become what the import format writes for them; those to what does not come, what
 * stood there. HTML's images become markdown's.
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

/** Finds what a token names; its `end` may be the sentence's. */
function find(token: string, end: RegExp, named: (name: string) => string | undefined): string | undefined {
  const match = named(token)
  const name = token.replace(end, '')
  if (match !== undefined || name === token) return match
  const shorter = named(name)
  return shorter === undefined ? undefined : shorter + token.slice(name.length)
}

const ENTITIES: Record<string, string> = { amp: '&', quot: '"', '#39': "'", apos: "'", lt: '<', gt: '>' }

/** @returns undefined for one that has no address of the web */
function imageOf(tag: string): string | undefined {
  const attribute = (name: string) => {
    const [, ...values] =
      new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, 'i').exec(tag) ?? []
    const value = values.find(value => value !== undefined)
    return value
      ?.replaceAll(/&(\w{2,4}|#39);/g, (all, entity: string) => ENTITIES[entity] ?? all)
      .replaceAll(/\s+/g, ' ')
  }
  const source = attribute('src')?.trim()
  return source !== undefined && /^https?:\/\//i.test(source) ? image(attribute('alt') ?? '', source) : undefined
}
