import { ApiError, invalid, tooLarge } from '../api/errors.ts'
import { mergeLines, type MergeConflict } from './merge.ts'
import {
  addCriteria,
  criteria,
  criterionNumbers,
  limits,
  minJsonBytes,
  parse,
  proseBlocks,
  proseText,
  RichTextError,
  serialize,
  tick,
  tooMuchMarkup,
  validate,
  type Criterion,
  type DocJson,
  type ProseBlock
} from '../../lib/rich-text/index.ts'

/*
 * The conversions of rich texts, as functions of plain data: they run on the event loop for small texts and in a
 * worker thread for large ones.
 */

/** A rich text as it is stored: both forms, so that a read converts nothing. */
export interface RichText {
  /** ProseMirror JSON; null for an empty text. */
  json: string | null
  markdown: string
  /** Checklist items. */
  criteria: { met: number; total: number; items: ReadonlyArray<{ text: string; met: boolean }> }
  /** The beginning of its plain text outside headings and checklists. */
  prose: string
}
/** A rich text in which checklist items were ticked. */
export interface TickedText extends RichText {
  /** The numbers of the items that `met` names, in its order. */
  metNumbers: number[]
}
type Doc = ReturnType<typeof parse>

/** Characters of prose that are kept: enough to decide whether a text has content. */
const MAX_PROSE = 2_000

const EMPTY: RichText = { json: null, markdown: '', criteria: { met: 0, total: 0, items: [] }, prose: '' }

/** The raw or the markdown field of a body; `field` is the raw field's name, for errors. */
export interface TextInput {
  raw?: unknown
  markdown?: string | null | undefined
  field: string
  /** Criteria that are added under its heading "Acceptance criteria". */
  criteria?: readonly string[] | undefined
}
/** A text that is to replace another one, which may have changed since its writer read it. */
export interface RebaseInput {
  /** Markdown. */
  mine: string
  theirs: string
  /** What the writer read; absent: that is not known. */
  base?: string | undefined
}
/** What is stored instead, and the texts of the criteria that stay ticked in it; or what does not fit together. */
export type Rebased = { text: RichText; kept: string[] } | { conflicts: MergeConflict[] }

/** Ticks to set in a stored text: items by number or text. */
export interface TickInput {
  json: string
  met: ReadonlyArray<number | string>
  unmet: ReadonlyArray<number | string>
}

const operations = {
  /** Undefined where a text has neither field. */
  read: (texts: readonly TextInput[]): Array<RichText | undefined> => texts.map(readWithCriteria),
  tick: ({ json, met, unmet }: TickInput): TickedText => tickText(json, met, unmet),
  /** The checklist items of a markdown text. */
  criteria: (markdown: string): Criterion[] => criteria(parse(markdown)),
  /** The prose of a markdown text. */
  prose: (markdown: string): ProseBlock[] => proseBlocks(parse(markdown).toJSON() as DocJson),
  /** A text with the ticks, and with a base also the other changes, that another one has got meanwhile. */
  rebase: (input: RebaseInput): Rebased => rebase(input)
}
export type Operations = typeof operations
export type Operation = keyof Operations

/** What a conversion answers; an ApiError loses its class between threads, so it travels as data. */
export type Outcome<T> = { result: T } | { refused: Pick<ApiError, 'statusCode' | 'code' | 'message' | 'details'> }

export function convert<N extends Operation>(
  name: N,
  input: Parameters<Operations[N]>[0]
): Outcome<ReturnType<Operations[N]>> {
  try {
    const operation = operations[name] as (input: unknown) => ReturnType<Operations[N]>
    return { result: operation(input) }
  } catch (error) {
    const refusal =
      error instanceof RichTextError
        ? error.code === 'TOO_LARGE'
          ? tooLarge(error.message)
          : invalid(error.message)
        : error
    if (!(refusal instanceof ApiError)) throw error
    const { statusCode, code, message, details } = refusal
    return { refused: { statusCode, code, message, details } }
  }
}

/** What is stored of a document. @throws RichTextError TOO_LARGE */
export function storedText(doc: Doc, markdown = serialize(doc)): RichText {
  if (markdown === '') return EMPTY
  assertJsonMayFit(doc)
  const json = JSON.stringify(doc.toJSON())
  if (Buffer.byteLength(json) > limits.jsonBytes) throw tooMuchMarkup()
  const items = criteria(doc)
  return {
    json,
    markdown,
    criteria: {
      met: items.filter(item => item.met).length,
      total: items.length,
      items: items.map(({ text, met }) => ({ text, met }))
    },
    prose: proseText(doc).slice(0, MAX_PROSE)
  }
}

/** Before the JSON of a document that is far too large takes memory. @throws RichTextError TOO_LARGE */
function assertJsonMayFit(doc: Doc): void {
  let least = 0
  doc.descendants(node => {
    least += minJsonBytes(node)
    if (least > limits.jsonBytes) throw tooMuchMarkup()
  })
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
  return markdown === null ? EMPTY : storedText(parse(markdown, limits.jsonBytes), markdown)
}

function docFrom(raw: unknown, field: string): Doc {
  const result = validate(raw)
  if ('doc' in result) return result.doc
  const [first] = result.problems
  const path = first?.path ? `${first.path.startsWith('[') ? '' : '.'}${first.path}` : ''
  const problem = first?.message ?? 'it does not fit the schema'
  throw invalid(`body.${field}${path} is not a valid document: ${problem}`, {
    field,
    problems: result.problems.slice(0, 10)
  })
}

function tickText(json: string, met: TickInput['met'], unmet: TickInput['unmet']): TickedText {
  const read = validate(json)
  if (!('doc' in read)) throw invalid('The description has no checklist that can be read: write it again.')
  const { doc } = read
  const { source, ...attrs } = doc.attrs
  // Without its source, which is written once for all ticks.
  let ticked = doc.type.create({ ...attrs, source: null }, doc.content)
  let metNumbers: number[]
  try {
    metNumbers = criterionNumbers(doc, met)
    const contradiction = criterionNumbers(doc, unmet).find(n => metNumbers.includes(n))
    if (contradiction !== undefined) {
      throw invalid(`Criterion ${contradiction} is both met and unmet: send it as one of them.`)
    }
    for (const which of met) ticked = tick(ticked, which, true)
    for (const which of unmet) ticked = tick(ticked, which, false)
  } catch (error) {
    if (error instanceof RichTextError || error instanceof ApiError || !(error instanceof Error)) throw error
    throw invalid(error.message)
  }
  if (source === null) return { ...storedText(ticked), metNumbers }
  const markdown = serialize(doc.type.create(doc.attrs, ticked.content))
  return { ...storedText(doc.type.create({ ...attrs, source: markdown }, ticked.content), markdown), metNumbers }
}

/** Criteria by their texts, each with whether it is met; of those with one text by their order. */
function metByText(items: readonly Criterion[]): Map<string, boolean> {
  const seen = new Map<string, number>()
  return new Map(items.map(item => [textKey(item, seen), item.met]))
}
function textKey({ text }: Criterion, seen: Map<string, number>): string {
  const words = text.trim().replace(/\s+/g, ' ').toLowerCase()
  const n = (seen.get(words) ?? 0) + 1
  seen.set(words, n)
  return `${n} ${words}`
}

/** A markdown text with the boxes of its criteria as `isMet` says. */
function withBoxes(markdown: string, isMet: (key: string, isMetNow: boolean) => boolean) {
  const doc = parse(markdown, limits.jsonBytes)
  const changed: Criterion[] = []
  const seen = new Map<string, number>()
  let boxed = doc.type.create({ ...doc.attrs, source: null }, doc.content)
  for (const item of criteria(doc)) {
    const met = isMet(textKey(item, seen), item.met)
    if (met === item.met) continue
    boxed = tick(boxed, item.n, met)
    changed.push({ ...item, met })
  }
  if (changed.length === 0) return { markdown, changed }
  return { markdown: serialize(doc.type.create(doc.attrs, boxed.content)), changed }
}

function rebase({ mine, theirs, base }: RebaseInput): Rebased {
  const stored = metByText(criteria(parse(theirs)))
  const before = base === undefined ? undefined : metByText(criteria(parse(base)))
  // A box that the writer has left as it was read is as it is now; without a base, one that is ticked stays so.
  const own = withBoxes(mine, (key, met) => {
    const now = stored.get(key)
    if (now === undefined) return met
    if (before === undefined) return met || now
    return met === before.get(key) ? now : met
  })
  const kept = own.changed.filter(({ met }) => met).map(({ text }) => text)
  if (base === undefined || base === theirs) return { text: stringText(own.markdown), kept }
  const read = withBoxes(base, (key, met) => stored.get(key) ?? met)
  const merged = mergeLines(read.markdown, own.markdown, theirs)
  return 'conflicts' in merged ? merged : { text: stringText(merged.text), kept }
}

const stringText = (markdown: string): RichText => storedText(parse(markdown, limits.jsonBytes), markdown)
