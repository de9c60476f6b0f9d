import { image } from './markdown.ts'

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

/** Code and comments: nothing in them means anything. */
const VERBATIM = new RegExp(
  [
    String.raw`^[ \t>]*(?<fence>\`{3,}|~{3,})[^\n]*(?:\n(?![ \t>]*\k<fence>)[^\n]*)*(?:\n[^\n]*)?`,
    String.raw`(?<=(?<![\s\S])|\n[ \t]*\n)(?: {4}|\t)[^\n]*(?:\n(?: {4}|\t)[^\n]*)*`,
    String.raw`(?<!\`)(?<ticks>\`+)(?!\`)[^\n]{0,2000}?(?<!\`)\k<ticks>(?!\`)`,
    String.raw`<!--[\s\S]*?(?:-->|(?![\s\S]))`
  ].join('|'),
  'gm'
)

/** Changes the parts of a markdown text that are no code and no comments. */
export function mapProse(markdown: string, change: (prose: string) => string): string {
  let changed = ''
  let from = 0
  for (const { 0: verbatim, index } of markdown.matchAll(VERBATIM)) {
    changed += change(markdown.slice(from, index)) + verbatim
    from = index + verbatim.length
  }
  return changed + change(markdown.slice(from))
}

/** References, tags, addresses and the targets of links stay as they are; then come mentions and what may be keys. */
const TOKEN = new RegExp(
  [
    String.raw`\uE000[^\uE000\uE001]*\uE001`,
    String.raw`(?<!\\)<(?<tag>img\s[^>]{1,4000})>`,
    String.raw`<[a-z/!?][^>\n]{0,4000}>|\bhttps?://[^\s<>]+|\]\([^)\n]{0,4000}\)|^ {0,3}\[[^\]\n]{1,1000}\]:[^\n]*`,
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
  const text =
    keysInTexts === undefined ? markdown : mapProse(markdown, prose => withTokens(prose, keysInTexts, referred))
  return text.replaceAll(
    REFERENCE,
    (_, name: string, otherwise: string) =>
      (name.startsWith('@') ? personNamed(people, name.slice(1)) : issueReference(issues, name)) ?? otherwise
  )
}

const withTokens = (prose: string, keysInTexts: RegExp, { issues, people }: Referred): string =>
  prose.replaceAll(TOKEN, (all: string, ...rest: unknown[]) => {
    const { tag, person, key } = rest.at(-1) as Record<string, string | undefined>
    if (tag !== undefined) return imageOf(tag) ?? all
    if (person !== undefined) return find(person, /(?<![-.:@])[-.:@]+$/, name => personNamed(people, name)) ?? all
    const issueNamed = (name: string) => (keysInTexts.test(name) ? issueReference(issues, name) : undefined)
    return (key === undefined ? undefined : find(key, /\.\p{L}.*$/u, issueNamed)) ?? all
  })

function issueReference(issues: Referred['issues'], oldKey: string): string | undefined {
  const externalId = issues.get(oldKey.toUpperCase())
  return externalId === undefined ? undefined : `<issue:${externalId}>`
}

function personNamed(people: Referred['people'], name: string): string | undefined {
  const found = people.get(name.toLowerCase())
  return found === undefined ? undefined : `@${found}`
}

/** Finds what a token names; its `end` may be the sentence's. */
function find(token: string, end: RegExp, named: (name: string) => string | undefined): string | undefined {
  const found = named(token)
  const name = token.replace(end, '')
  if (found !== undefined || name === token) return found
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
