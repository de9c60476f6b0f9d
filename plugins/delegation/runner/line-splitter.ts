import { StringDecoder } from 'node:string_decoder'

/** Longer lines are left out. */
const MAX_LINE_LENGTH = 1024 * 1024

/** Calls `readLine` with each line of a byte stream, without the last one if it does not end. */
export function makeLineSplitter(readLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let held = ''
  return chunk => {
    const parts = decoder.write(chunk).split('\n')
    const rest = parts.pop()!
    for (const part of parts) {
      if (held.length <= MAX_LINE_LENGTH) readLine(held + part)
      held = ''
    }
    // One character too many marks the line as too long.
    held = (held + rest).slice(0, MAX_LINE_LENGTH + 1)
  }
}
