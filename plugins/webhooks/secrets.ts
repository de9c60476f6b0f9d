import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** A new secret, in the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/**
 * The headers that let a receiver verify a message, signed with each of the secrets.
 * @see https://www.standardwebhooks.com
 */
export function signatureHeaders(secrets: readonly string[], id: string, body: string, at: Date) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, at, body)).join(' ')
  }
}
