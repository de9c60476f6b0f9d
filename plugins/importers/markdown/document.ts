import { createHash } from 'node:crypto'
import { parse, stringify } from 'yaml'
import { isObject, objectOf, textOf, type JsonObject } from '../values/values.ts'

/*
 * An issue as a markdown file: front matter, description, and the comments, each after a line `<!-- comment {…} -->`
 * and a heading with author and time. Such lines of a text are escaped by a backslash.
 */

const COMMENT_LINE = /^<!-- comment ([^\n]*) -->\n/m
/** No value begins a line: YAML indents values of several lines. */
const FRONT_END = '\n---\n'
const HEADING = /^### ([^\n]*), (\S+)\n\n?/
const escaped = (text: string) => text.replaceAll(/^<!-- (\\*comment )/gm, String.raw`<!-- \$1`)
const unescaped = (text: string) => text.replaceAll(/^<!-- \\(\\*comment )/gm, '<!-- $1')

export interface MarkdownComment {
  author?: string | undefined
  createdAt?: string | undefined
  text: string
  /** All others: `id`, `replyTo`, … */
  fields: JsonObject
}
export interface MarkdownIssue {
  fields: JsonObject
  text: string
  comments: MarkdownComment[]
}

const yaml = (fields: JsonObject) =>
  stringify(fields, { schema: 'core', lineWidth: 0, blockQuote: false, aliasDuplicateObjects: false })

export const issueText = (fields: JsonObject, text: string): string =>
  `---\n${yaml(fields)}---\n${text === '' ? '' : `\n${escaped(text)}\n`}`

export function withFields(file: string, fields: JsonObject): string {
  const end = file.indexOf(FRONT_END) + 1
  return file.slice(0, end) + yaml(fields) + file.slice(end)
}

export function commentText({ author = '', createdAt = '', text, fields }: MarkdownComment): string {
  // So that no value ends the line's markup.
  const json = JSON.stringify(fields).replaceAll('>', String.raw`\u003e`)
  return `\n<!-- comment ${json} -->\n### ${author}, ${createdAt}\n\n${escaped(text)}\n`
}

/** Undefined when the file has no front matter. @throws Error that names the problem */
export function readIssueText(file: string): MarkdownIssue | undefined {
  const content = file.replace(/^\uFEFF/, '')
  const text = content.startsWith('---\r\n') ? content.replaceAll('\r\n', '\n') : content
  const end = `${text}\n`.indexOf(FRONT_END)
  if (!text.startsWith('---\n') || end < 0) return undefined
  const front = text.slice('---\n'.length, end + 1)
  // Dates stay strings, and aliases cannot make a small file large.
  const fields: unknown = parse(front, { schema: 'core', maxAliasCount: 0 })
  const [description = '', ...parts] = text.slice(end + FRONT_END.length).split(COMMENT_LINE)
  const comments: MarkdownComment[] = []
  for (let n = 0; n < parts.length; n += 2) {
    const [heading = '', author, createdAt] = HEADING.exec(parts[n + 1]!) ?? []
    comments.push({
      author: textOf(author),
      createdAt: textOf(createdAt),
      text: inner(parts[n + 1]!.slice(heading.length), n + 2 < parts.length),
      fields: objectOf(JSON.parse(parts[n]!))
    })
  }
  return {
    fields: isObject(fields) ? fields : {},
    text: inner(description.replace(/^\n/, ''), parts.length > 0),
    comments
  }
}

/** Removes the line end after a text, and the empty line before a comment. */
const inner = (part: string, isFollowed: boolean): string =>
  unescaped(part.replace(isFollowed ? /\n{1,2}$/ : /\n$/, ''))

/** Valid while the markdown is unchanged. */
export const documentOf = (text: string, json: unknown): JsonObject => ({ of: digest(text), json })
export function readDocument(text: string, document: unknown): unknown {
  return isObject(document) && document['of'] === digest(text) ? document['json'] : undefined
}
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
