import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** @see https://www.standardwebhooks.com */
export function signatureHeaders(secrets: readonly string[], id: string, body: string, at: Date) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, at, body)).join(' ')
  }
}
