import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  type: string
  data: { id?: string; rev?: number; subject?: { id: string; key?: string }; data?: object }
}

/** A receiver of webhooks on a port of its own. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Replaces the answer 200. */
  answer: (message: Received, response: ServerResponse) => void
  /** Waits for this number of messages. */
  reached(count: number): Promise<void>
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const message = { headers: request.headers, body, ...(JSON.parse(body) as Pick<Received, 'type' | 'data'>) }
    received.push(message)
    receiver.answer(message, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (_message, response) => response.end('thanks'),
    async reached(count) {
      while (received.length < count) await sleep(20)
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
  return receiver
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
