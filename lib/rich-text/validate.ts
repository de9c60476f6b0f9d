import type { AttributeSpec, Attrs, Mark, MarkType, Node, NodeType } from 'prosemirror-model'
import { Fragment, Mark as MarkSet } from 'prosemirror-model'
import { markdownChecks } from './criteria/checks.ts'
import { checkType } from './read/refuse.ts'
import { limits, RichTextError, tooDeep } from './limits.ts'
import { withLineFeeds } from './read/line-ends.ts'
import { schema } from './schema.ts'

/** A problem and its place: `content[0].marks[1].attrs.href`. */
export interface Problem {
  path: string
  message: string
}

const MAX_PROBLEMS = 20
/** Maximum characters of the JSON: a body at its limit, with nodes and marks. */
const MAX_JSON_CHARACTERS = 16 * limits.bytes

/**
 * Validates `json`, an object or a string, against the schema, in bounded time. Line ends become line feeds, except in
 * the source.
 * @throws {RichTextError} TOO_LARGE or TOO_DEEP
 */
export function validate(json: unknown): { doc: Node } | { problems: Problem[] } {
  const problems: Problem[] = []
  const value = typeof json === 'string' ? readJson(json, problems) : json
  const doc = problems.length > 0 ? null : new Validator(problems).node(value, '', 0)
  if (doc && doc.type !== schema.topNodeType) {
    problems.push({ path: 'type', message: `must be "doc", not "${doc.type.name}"` })
  }
  return doc && problems.length === 0 ? { doc } : { problems }
}

function readJson(text: string, problems: Problem[]): unknown {
  if (text.length > MAX_JSON_CHARACTERS) {
    throw new RichTextError(
      'TOO_LARGE',
      `The document is larger than ${MAX_JSON_CHARACTERS} characters of JSON. Shorten it.`
    )
  }
  try {
    return JSON.parse(text)
  } catch {
    problems.push({
      path: '',
      message: 'is a string that is not JSON; send a ProseMirror document, or markdown in the markdown field'
    })
    return null
  }
}

class Validator {
  readonly #problems: Problem[]
  #characters = 0

  constructor(problems: Problem[]) {
    this.#problems = problems
  }

  node(json: unknown, path: string, depth: number): Node | null {
    if (depth > limits.depth) throw tooDeep()
    if (!this.#object(json, path, ['type', 'attrs', 'content', 'marks', 'text'])) return null
    const type = typeof json.type === 'string' ? schema.nodes[json.type] : undefined
    if (!type) return this.#refuse(at(path, 'type'), `must be one of ${Object.keys(schema.nodes).join(', ')}`)
    this.#count(type.name.length)
    const marks = this.#marks(json.marks, at(path, 'marks'))
    if (type.isText) return this.#text(json, path, marks)
    if (json.text !== undefined) return this.#refuse(at(path, 'text'), 'stands only in a text node')
    const attrs = this.#attrs(json.attrs, type, at(path, 'attrs'))
    const content = this.#list(json.content, at(path, 'content')).flatMap(
      (child, i) => this.node(child, at(path, `content[${i}]`), depth + 1) ?? []
    )
    if (!attrs || this.#problems.length > 0) return null
    // An empty container gets the empty block that an editor would create.
    const fragment =
      content.length > 0
        ? Fragment.fromArray(content)
        : (type.contentMatch.fillBefore(Fragment.empty, true) ?? Fragment.empty)
    if (!type.validContent(fragment)) {
      return this.#refuse(
        at(path, 'content'),
        `must be ${type.spec.content || 'empty'} in a ${type.name}, not (${content
          .map(child => child.type.name)
          .slice(0, 10)
          .join(', ')})`
      )
    }
    return type.create(attrs, fragment, marks)
  }

  #text(json: Record<string, unknown>, path: string, marks: readonly Mark[]): Node | null {
    if (json.content !== undefined || json.attrs !== undefined) {
      return this.#refuse(path, 'is a text node, which has neither content nor attrs')
    }
    if (typeof json.text !== 'string' || json.text === '') {
      return this.#refuse(at(path, 'text'), 'must be a string that is not empty')
    }
    return this.#string(json.text, at(path, 'text')) ? schema.text(withLineFeeds(json.text), marks) : null
  }

  #marks(json: unknown, path: string): readonly Mark[] {
    let set = MarkSet.none
    this.#list(json, path).forEach((mark, i) => {
      const place = `${path}[${i}]`
      if (!this.#object(mark, place, ['type', 'attrs'])) return
      const type = typeof mark.type === 'string' ? schema.marks[mark.type] : undefined
      if (!type) return this.#refuse(at(place, 'type'), `must be one of ${Object.keys(schema.marks).join(', ')}`)
      this.#count(type.name.length)
      const attrs = this.#attrs(mark.attrs, type, at(place, 'attrs'))
      if (attrs) set = type.create(attrs).addToSet(set)
    })
    return set
  }

  #attrs(json: unknown, type: NodeType | MarkType, path: string): Attrs | null {
    const values = json ?? {}
    const specs: Record<string, AttributeSpec> = type.spec.attrs ?? {}
    if (!this.#object(values, path, Object.keys(specs))) return null
    const attrs: Record<string, unknown> = {}
    for (const [name, spec] of Object.entries(specs)) {
      const place = at(path, name)
      if (!Object.hasOwn(values, name)) {
        if (!('default' in spec)) return this.#refuse(place, 'is required')
        continue
      }
      const value = type === schema.topNodeType ? values[name] : normalize(values[name])
      if (typeof value === 'string' && !this.#string(value, place)) return null
      try {
        checkType(value, spec)
        markdownChecks[`${type.name}.${name}`]?.(value)
      } catch (error) {
        return this.#refuse(place, error instanceof Error ? error.message : String(error))
      }
      attrs[name] = value
    }
    return attrs
  }

  #object(json: unknown, path: string, known: string[]): json is Record<string, unknown> {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      this.#refuse(path, 'must be an object')
      return false
    }
    const unknown = Object.keys(json).find(key => !known.includes(key))
    if (unknown !== undefined) {
      this.#refuse(
        at(path, unknown.slice(0, 80)),
        known.length > 0 ? `is unknown; known are ${known.join(', ')}` : 'is unknown; none is known here'
      )
    }
    return unknown === undefined
  }

  #list(json: unknown, path: string): unknown[] {
    if (json === undefined) return []
    if (Array.isArray(json)) return json
    this.#refuse(path, 'must be an array')
    return []
  }

  #string(text: string, path: string): boolean {
    this.#count(text.length)
    if (text.isWellFormed() && !text.includes('\0')) return true
    this.#refuse(path, 'holds a character that cannot be stored: NUL or half a surrogate pair')
    return false
  }

  #count(characters: number) {
    this.#characters += characters
    if (this.#characters > MAX_JSON_CHARACTERS) {
      throw new RichTextError('TOO_LARGE', `The document is larger than ${MAX_JSON_CHARACTERS} characters. Shorten it.`)
    }
  }

  #refuse(path: string, message: string): null {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ path, message })
    return null
  }
}

function normalize(value: unknown): unknown {
  return typeof value === 'string' ? withLineFeeds(value) : value
}

function at(path: string, key: string): string {
  return path ? `${path}.${key}` : key
}
