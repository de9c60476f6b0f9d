const MAX_LINE_BYTES = 32 * 1024 * 1024
const LINE_FEED = 10

type FileLine = { number: number } & ({ text: string } | { problem: string })

export const NOT_UTF8 = 'it is not UTF-8: convert the file'
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of bytes, without a byte order mark; undefined when they are not UTF-8. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The lines of a file, separated by line feeds only: `readline` would also split at U+2028.
 * @param file its bytes, as `createReadStream` reads them
 */
export async function* fileLines(file: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  let parts: Buffer[] = []
  let length = 0
  let number = 0
  const line = (): FileLine => {
    number++
    if (length > MAX_LINE_BYTES) return { number, problem: `it is longer than ${MAX_LINE_BYTES} bytes` }
    const text = decode(Buffer.concat(parts))
    return text === undefined ? { number, problem: NOT_UTF8 } : { number, text }
  }
  for await (const chunk of file) {
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      parts.push(chunk.subarray(from, end))
      length += end - from
      yield line()
      parts = []
      length = 0
      from = end + 1
    }
    length += chunk.length - from
    if (length <= MAX_LINE_BYTES) parts.push(chunk.subarray(from))
    else parts = []
  }
  if (length > 0) yield line()
}
