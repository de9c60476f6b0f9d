import { parse } from 'yaml'
import { MAX_TEXT_CHARACTERS } from '../io/files.ts'
import { isObject, type JsonObject } from '../values/values.ts'

export interface FrontMatter {
  data: JsonObject
  body: string
}

/** A name that begins with `@` must be quoted in YAML, and often is not. */
const MENTION = /^([ \t]*(?:-|[\w-]+:)\s+|.*[[,]\s*)(@[\w./-]+)(?=\s*(?:[\],]|$))/gm

/** @returns undefined when the text has none @throws Error that names the problem */
export function frontMatter(text: string): FrontMatter | undefined {
  const [, yaml, body = ''] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n([\s\S]*))?$/m.exec(text) ?? []
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(text)) return undefined
  if (yaml === undefined) throw new Error('it has no end: the file is cut off')
  if (yaml.length > MAX_TEXT_CHARACTERS) throw new Error(`it is longer than ${MAX_TEXT_CHARACTERS} characters`)
  // Dates stay strings, and aliases cannot make a small file large.
  const data: unknown = parse(yaml.replaceAll(MENTION, '$1"$2"'), { schema: 'core', maxAliasCount: 0 })
  return { data: isObject(data) ? data : {}, body: body.replaceAll('\r\n', '\n') }
}
