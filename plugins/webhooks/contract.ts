import type { ColumnType, Generated } from 'kysely'
import { Type } from 'typebox'
import { contract } from '../../core/api/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/api/database/types.ts'
import { ChangesData, eventType, NoData } from '../../core/api/events.ts'
import { Closed } from '../../core/api/schemas.ts'

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'

export interface WebhooksTables {
  webhook: {
    workspaceId: Id
    id: Id
    url: string
    types: string[]
    active: boolean
    includeImports: boolean
    /** In plain text, because it signs messages. */
    secret: string
    /** The previous secret, which also signs messages until `formerSecretUntil`. */
    formerSecret: string | null
    formerSecretUntil: Moment
    createdById: Id
    createdAt: Timestamp
    /** The start of a series of failures; null: the last attempt succeeded. */
    failingSince: Moment
    /** The reason why the server disabled it. */
    disabledReason: string | null
  }
  webhookDelivery: {
    workspaceId: Id
    id: Id
    webhookId: Id
    /** The order of a subject's deliveries. */
    position: Generated<number>
    /** Null: a test. */
    eventId: Id | null
    type: string
    subjectId: Id
    /** The first delivery of the message, if an administrator has repeated it; null: this is the first. */
    redeliveryOf: Id | null
    /** The body as sent. */
    payload: string
    status: ColumnType<DeliveryStatus, DeliveryStatus | undefined, DeliveryStatus>
    attempts: ColumnType<number, number | undefined, number>
    nextAttemptAt: Timestamp
    /** The end of the sending process's lease. */
    leasedUntil: Moment
    responseStatus: number | null
    durationMs: number | null
    responseBody: string | null
    error: string | null
    createdAt: Timestamp
    finishedAt: Moment
  }
}
export const webhooks = contract<object, WebhooksTables>()('webhooks')

const audience = 'admin' as const
export const webhookCreated = eventType(webhooks, 'webhook.created', {
  summary: 'A webhook was made.',
  audience,
  logged: [],
  data: NoData
})
export const webhookUpdated = eventType(webhooks, 'webhook.updated', {
  summary: 'Fields of a webhook changed, or its secret, which is not in the event.',
  audience,
  logged: [],
  data: ChangesData
})
export const webhookDeleted = eventType(webhooks, 'webhook.deleted', {
  summary: 'A webhook was removed.',
  audience,
  logged: [],
  data: NoData
})
export const webhookDisabled = eventType(webhooks, 'webhook.disabled', {
  summary: 'The server has made a webhook inactive, because for days nothing could be delivered.',
  audience,
  data: Closed({ url: Type.String(), reason: Type.String() })
})
export const webhookEvents = [webhookCreated, webhookUpdated, webhookDeleted, webhookDisabled]
