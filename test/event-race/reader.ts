/*
 * A reader of the event stream, for race.ts, that continues after the last event in its file: `node reader.ts FILE
 * TOKEN CURSOR`. It gets the servers' addresses as messages, and sends one when a stream has begun. Lines of the file:
 * cursor, subject and revision, time of arrival.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventJson } from '../../plugins/events/contract.ts'

const [file, token, first] = process.argv.slice(2) as [string, string, string]
/** Milliseconds before another server is tried. */
const RETRY_MS = 100
let urls: readonly string[] = []
process.on('message', message => {
  urls = message as string[]
})
let after = (existsSync(file) && readFileSync(file, 'utf8').split('\n').at(-2)?.split(' ')[0]) || first
// The last process may have left an incomplete line.
if (existsSync(file)) appendFileSync(file, '\n')

async function read(url: string): Promise<void> {
  const answer = await fetch(`${url}/v1/events?types=thing.changed`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'last-event-id': after }
  })
  if (!answer.ok || answer.body === null) return
  process.send?.('reading')
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n')
    text = blocks.pop()!
    const lines = blocks.flatMap(block => {
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/m.exec(block) ?? []
      if (id === undefined || data === undefined) return []
      after = id
      const { subject, rev } = JSON.parse(data) as EventJson
      return `${id} ${subject.id} ${rev} ${Date.now()}\n`
    })
    appendFileSync(file, lines.join(''))
  }
}

for (let n = 0; ; n++) {
  const url = urls[n % urls.length]
  if (url !== undefined) await read(url).catch(() => {}) // the server is gone
  await sleep(RETRY_MS)
}
