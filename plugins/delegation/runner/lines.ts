import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'

/** Characters of one line that are shown; what follows on the same line is dropped. */
export const MAX_LINE_LENGTH = 8_192
const CUT = ' [line cut]'

/**
 * The lines of a stream of bytes, as text that can be stored: without NUL and terminal control sequences.
 * However long a line is, no more than twice `MAX_LINE_LENGTH` of it is held: `mask` sees all of what is held, so that
 * a secret that lies across the cut is masked before it is cut. A line for which it answers undefined is left out.
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
    const line = mask(stripVTControlCharacters(held).replaceAll('\0', '').toWellFormed().trimEnd())
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
