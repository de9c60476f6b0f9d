/*
 * Receives webhooks, verifies them and prints one line of JSON for each.
 *
 *   WEBHOOK_SECRET=whsec_… PORT=8080 node examples/webhook-receiver.ts
 *
 * Its only dependency is npm's `standardwebhooks`; there are libraries for other languages, too.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

const { WEBHOOK_SECRET = '', PORT = '8080' } = process.env
if (WEBHOOK_SECRET === '') throw new Error('Set WEBHOOK_SECRET to the secret that the server showed with the webhook.')
const webhook = new Webhook(WEBHOOK_SECRET)

/** Maximum bytes of a message; longer ones are not from the tracker. */
const MAX_BYTES = 1024 * 1024
/** The messages that were handled: one that comes again, because its answer got lost, is not handled twice. */
const handled = new Set<string>()

const server = createServer(async (request, response) => {
  try {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) {
      body += String(chunk)
      if (body.length > MAX_BYTES) return response.writeHead(413).end()
    }
    // The signature is that of the bytes that came: verify before parsing.
    const message = webhook.verify(body, request.headers as Record<string, string>)
    const id = String(request.headers['webhook-id'])
    if (!handled.has(id)) {
      handled.add(id)
      process.stdout.write(`${JSON.stringify(message)}\n`)
    }
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
  }
})
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stderr.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`)
})
