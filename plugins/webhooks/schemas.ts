import { Type } from 'typebox'
import { changesOf, Closed, IdText, Nullable, optional, secretShownOnce, Time } from '../../core/api/schemas.ts'
import { MAX_STARS } from './globs.ts'

export const tags = ['webhooks']
/** For all routes: a URL may contain a secret, too. */
export const config = { admin: true }
export const params = Closed({ id: IdText })

const url = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: 2000,
  description: 'Where events are sent: `https://…` or `http://…`, without a user and password.'
})
const types = Type.Array(
  Type.String({
    maxLength: 100,
    pattern: '^[a-zA-Z0-9_.*]+$',
    description:
      'A type of events, such as `issue.created`; `*` stands for any characters: `issue.*`. ' +
      `At most ${MAX_STARS} stars.`
  }),
  { minItems: 1, maxItems: 50, description: 'The types of the events that are sent. Default: all, `["*"]`.' }
)
const active = Type.Boolean({ description: 'Whether events are sent. Events while it is inactive are not sent later.' })
const includeImports = Type.Boolean({ description: 'Whether events of imports are sent, too. Default: false.' })

const fields = { url, types, active, includeImports }
export const NewWebhook = Closed({ ...optional(fields), url })
export const Webhook = Closed({
  id: IdText,
  url: Type.String(),
  types: Type.Array(Type.String()),
  active,
  includeImports,
  createdById: IdText,
  createdAt: Time,
  failingSince: Nullable(Time, { description: 'Since when every attempt has failed; null: the last one succeeded.' }),
  disabledReason: Nullable(Type.String(), { description: 'Why the server has made it inactive.' })
})
export const WebhookChanges = Closed(changesOf(Webhook, fields))
const secret = secretShownOnce(
  'secret',
  'Shown only now: the receiver verifies signatures with it.',
  'The secret was shown once, in the first answer: get another with POST /v1/webhooks/:id/rotate_secret.'
)
export const WebhookWithSecret = Closed({ ...Webhook.properties, ...secret })
export const RotatedSecret = Closed({
  id: IdText,
  ...secret,
  formerValidUntil: Type.String({ format: 'date-time', description: 'Until then the former secret signs, too.' })
})

export const Delivery = Closed({
  id: IdText,
  eventId: Nullable(IdText, { description: 'Null: a test.' }),
  type: Type.String(),
  status: Type.Enum(['PENDING', 'DELIVERED', 'FAILED'], {
    description: 'FAILED: it is not retried, except on request.'
  }),
  attempts: Type.Integer(),
  nextAttemptAt: Nullable(Time),
  responseStatus: Nullable(Type.Integer({ description: 'Of the last attempt, as the three fields after it.' })),
  durationMs: Nullable(Type.Integer()),
  responseBody: Nullable(Type.String({ description: 'The first KiB of the answer.' })),
  error: Nullable(Type.String({ description: 'Why the last attempt failed.' })),
  createdAt: Time,
  finishedAt: Nullable(Time)
})
export const DeliveryPage = Closed({
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
  status: Type.Optional(Type.Enum(['PENDING', 'DELIVERED', 'FAILED'])),
  before: Type.Optional({ ...IdText, description: 'The last delivery of the page before.' })
})
