import type { Node } from 'prosemirror-model'
import { normalizeLineEnds } from '../read/line-ends.ts'
import { read, readCached } from '../read/parse.ts'
import { rewrite } from './rewrite.ts'
import { NO_SOURCE, splitSource } from '../read/source.ts'

/** Documents as parsed from their source, which need no check: nodes are immutable. */
const untouched = new WeakSet<Node>()

/**
 * Parses markdown (CommonMark, with GFM's tables, tasks, strikethrough and autolinks). Any text is valid; blocks that
 * are nested too deeply become literal text. The document keeps its source.
 * @param maxJsonBytes of a text block: where its JSON cannot fit, the rest is not read
 * @throws {RichTextError} TOO_LARGE beyond `limits.bytes` or `maxJsonBytes`
 */
export function parse(markdown: string, maxJsonBytes?: number): Node {
  const { doc } = read(markdown, { maxJsonBytes })
  untouched.add(doc)
  return doc
}

/**
 * The markdown of a document: its source, if it matches the nodes; otherwise the bytes of the source for every block
 * that is unchanged or only ticked, and for the unchanged lines and cells of a changed table; new text for the rest.
 * New text is parsed again, and escaped more where it does not match.
 * @throws {RichTextError} TOO_LARGE beyond `limits.bytes`
 */
export function serialize(doc: Node): string {
  const source: string | null = doc.attrs.source
  if (source === null) return rewrite(normalizeLineEnds(doc), NO_SOURCE)
  if (untouched.has(doc)) return source
  const reading = readCached(source)
  return reading.doc.content.eq(doc.content) ? source : rewrite(normalizeLineEnds(doc), splitSource(source, reading))
}
