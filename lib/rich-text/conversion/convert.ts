import { addCriteria } from '../criteria/add-criteria.ts'
import { criteria, type Criterion } from '../criteria/criteria.ts'
import { invalidText, RichTextError } from '../limits.ts'
import type { DocJson } from '../read/json.ts'
import { proseBlocks, type ProseBlock } from '../read/prose.ts'
import { validate } from '../validate.ts'
import { parse } from '../write/serialize.ts'
import { rebase } from './rebase.ts'
import { EMPTY, storedMarkdown, storedText, type Doc, type RichText } from './stored.ts'
import { tickText } from './ticks.ts'

/*
 * Conversions of rich texts, as functions of plain data: on the event loop for small texts, in a worker thread for
 * large ones.
 */

/** The raw or the markdown field of a body; `field` is the raw field's name, for errors. */
export interface TextInput {
  raw?: unknown
  markdown?: string | null | undefined
  field: string
  /** Criteria to add under the heading "Acceptance criteria". */
  criteria?: readonly string[] | undefined
}
const operations = {
  /** Undefined for a text with neither field. */
  read: (texts: readonly TextInput[]): Array<RichText | undefined> => texts.map(readWithCriteria),
  tick: tickText,
  criteria: (markdown: string): Criterion[] => criteria(parse(markdown)),
  prose: (markdown: string): ProseBlock[] => proseBlocks(parse(markdown).toJSON() as DocJson),
  rebase
}
export type Operations = typeof operations
export type Operation = keyof Operations

/** The result of a conversion. Errors lose their class between threads, so they are plain data. */
export type Outcome<T> = { result: T } | { refused: Pick<RichTextError, 'code' | 'message' | 'details'> }

export function convert<N extends Operation>(
  name: N,
  input: Parameters<Operations[N]>[0]
): Outcome<ReturnType<Operations[N]>> {
  try {
    const operation = operations[name] as (input: unknown) => ReturnType<Operations[N]>
    return { result: operation(input) }
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error
    const { code, message, details } = error
    return { refused: { code, message, details } }
  }
}

function readWithCriteria(input: TextInput): RichText | undefined {
  const text = readText(input)
  if (!input.criteria?.length) return text
  const doc = parse(text?.markdown ?? '')
  const added = addCriteria(doc, input.criteria)
  return added === doc ? (text ?? EMPTY) : storedText(added)
}

function readText({ raw, markdown, field }: TextInput): RichText | undefined {
  if (raw !== undefined) return raw === null ? EMPTY : storedText(docFrom(raw, field))
  if (markdown === undefined) return undefined
  return markdown === null ? EMPTY : storedMarkdown(markdown)
}

function docFrom(raw: unknown, field: string): Doc {
  const result = validate(raw)
  if ('doc' in result) return result.doc
  const [first] = result.problems
  const path = first?.path ? `${first.path.startsWith('[') ? '' : '.'}${first.path}` : ''
  const problem = first?.message ?? 'it does not fit the schema'
  throw invalidText(`body.${field}${path} is not a valid document: ${problem}`, {
    field,
    problems: result.problems.slice(0, 10)
  })
}
