/*
 * Shows what a coding agent does, a line each, as it does it: `agent-output.ts FORMAT FILE`. Reads the agent's output,
 * `text` or `stream-json` (JSON lines, as Claude Code writes them), and puts what it said last into FILE.
 */
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Characters of what is shown of one step, and of what the agent said last. */
const MAX_STEP_LENGTH = 300
const MAX_SAID_LENGTH = 2_000

/** The fields of a line of Claude Code's stream that are used. */
interface StreamLine {
  type?: string
  message?: { content?: ReadonlyArray<{ type?: string; text?: string; name?: string; input?: object }> }
  /** In the last line only: the answer, or why there is none. */
  result?: string
  subtype?: string
}

const shortened = (text: string): string =>
  text.length > MAX_STEP_LENGTH ? `${text.slice(0, MAX_STEP_LENGTH).toWellFormed()}…` : text

/** The steps in a line of the stream, and the agent's text in it. */
function read(line: string): { steps: string[]; said?: string | undefined } {
  let event: StreamLine
  try {
    event = JSON.parse(line) as StreamLine
  } catch {
    return { steps: [line] } // a warning of the program
  }
  if (event.type === 'result') return { steps: [`[${event.subtype ?? 'end'}]`], said: event.result }
  if (event.type !== 'assistant') return { steps: [] }
  const content = Array.isArray(event.message?.content) ? event.message.content : []
  const texts = content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []))
  const tools = content.flatMap(({ type, name, input }) =>
    type === 'tool_use' ? [shortened(`> ${name} ${JSON.stringify(input)}`)] : []
  )
  return { steps: [...texts, ...tools], ...(texts.length > 0 && { said: texts.join('\n') }) }
}

const [format = 'text', file = ''] = process.argv.slice(2)
let said = ''
for await (const line of createInterface({ input: process.stdin })) {
  const { steps, said: now } = format === 'stream-json' ? read(line) : { steps: [line], said: `${said}\n${line}` }
  for (const step of steps) process.stdout.write(`${step}\n`)
  if (now !== undefined) said = now.slice(-MAX_SAID_LENGTH)
}
writeFileSync(file, said.trim().toWellFormed())
