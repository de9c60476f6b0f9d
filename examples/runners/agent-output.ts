/*
 * `agent-output.ts FILE` passes an agent's output on as it is, and puts what the agent said last into FILE: the text in
 * JSON lines of Claude Code, Codex or opencode, otherwise the last lines.
 */
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const MAX_SAID_LENGTH = 2_000

/** The fields of a line that are used. */
interface StreamLine {
  type?: string
  /** Claude Code: a message; in the last line only, the answer. */
  message?: { content?: ReadonlyArray<{ type?: string; text?: string }> }
  result?: string
  /** Codex. */
  item?: { type?: string; text?: string }
  /** opencode. */
  part?: { type?: string; text?: string }
}

/** @returns undefined for a line that says nothing; null for one that is not of a stream */
function textIn(line: string): string | undefined | null {
  let event: StreamLine
  try {
    event = JSON.parse(line) as StreamLine
  } catch {
    return null
  }
  if (typeof event?.type !== 'string') return null
  const { type, message, result, item, part } = event
  if (type === 'result') return result
  if (item?.type === 'agent_message') return item.text
  if (part?.type === 'text') return part.text
  if (type !== 'assistant' || !Array.isArray(message?.content)) return undefined
  return message.content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n') || undefined
}

const [file = ''] = process.argv.slice(2)
let said: string | undefined
let lines = ''
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${line}\n`)
  const text = textIn(line)
  if (text === null) lines = `${lines}\n${line}`.slice(-MAX_SAID_LENGTH)
  else said = text ?? said
}
writeFileSync(file, (said ?? lines).slice(-MAX_SAID_LENGTH).trim().toWellFormed())
