import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'

/** The rest of a line is dropped. */
export const MAX_LINE_LENGTH = 8_192
const CUT = ' [line cut]'

/** Text that can be stored and shown: without NUL and terminal control sequences. */
export const cleanText = (text: string): string => stripVTControlCharacters(text).replaceAll('\0', '').toWellFormed()

/**
 * The lines of a byte stream, without NUL and terminal control sequences. At most twice `MAX_LINE_LENGTH` of a line is
 * in memory, and passed to `mask`, so that a secret at the cut is masked before the line is cut. Lines for which it
 * returns undefined are left out.
 */
export async function* lines(
  stream: Iterable<Buffer> | AsyncIterable<Buffer>,
  mask: (line: string) => string | undefined
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let held = ''
  const add = (text: string) => {
    held += text.slice(0, Math.max(0, 2 * MAX_LINE_LENGTH - held.length))
  }
  const take = () => {
    const line = mask(cleanText(held).trimEnd())
    held = ''
    if (line === undefined) return []
    return [line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH).toWellFormed() + CUT : line]
  }
  for await (const chunk of stream) {
    const [first = '', ...rest] = decoder.write(chunk).split('\n')
    add(first)
    for (const next of rest) {
      yield* take()
      add(next)
    }
  }
  add(decoder.end())
  if (held !== '') yield* take()
}
