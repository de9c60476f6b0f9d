import type { ColumnType, Generated } from 'kysely'
import { Type } from 'typebox'
import { contract } from '../../core/contract.ts'
import type { Id, Moment, Timestamp } from '../../core/db/tables.ts'
import { eventType } from '../../core/events/contract.ts'
import { ChangesData, NoData } from '../../core/events/schemas.ts'
import { Closed } from '../../core/schemas.ts'

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'

export interface WebhooksTables {
  webhook: {
    workspaceId: Id
    id: Id
    url: string
    /** Globs of the types of events that it gets. */
    types: string[]
    active: boolean
    includeImports: boolean
    /** As it is: what is sent is signed with it. */
    secret: string
    /** The secret before it, which signs, too, until then. */
    formerSecret: string | null
    formerSecretUntil: Moment
    createdById: Id
    createdAt: Timestamp
    /** Since when nothing was delivered, although it was tried; null: the last delivery succeeded. */
    failingSince: Moment
    /** Why the server has made it inactive. */
    disabledReason: string | null
  }
  webhookDelivery: {
    workspaceId: Id
    id: Id
    webhookId: Id
    /** Grows in the order in which the deliveries of a subject are sent. */
    position: Generated<number>
    /** Null: a test. */
    eventId: Id | null
    type: string
    subjectId: Id
    /** The delivery of which an administrator asked for another; null: the first for the event. */
    redeliveryOf: Id | null
    /** The body, as it is sent. */
    payload: string
    status: ColumnType<DeliveryStatus, DeliveryStatus | undefined, DeliveryStatus>
    attempts: ColumnType<number, number | undefined, number>
    nextAttemptAt: Timestamp
    /** Until when a process has it. */
    leasedUntil: Moment
    /** Of the last attempt. */
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
  data: NoData
})
export const webhookUpdated = eventType(webhooks, 'webhook.updated', {
  summary: 'Fields of a webhook changed, or its secret, of which nothing is told.',
  audience,
  data: ChangesData
})
export const webhookDeleted = eventType(webhooks, 'webhook.deleted', {
  summary: 'A webhook was removed.',
  audience,
  data: NoData
})
export const webhookDisabled = eventType(webhooks, 'webhook.disabled', {
  summary: 'The server has made a webhook inactive, because for days nothing could be delivered.',
  audience,
  data: Closed({ url: Type.String(), reason: Type.String() })
})
export const webhookEvents = [webhookCreated, webhookUpdated, webhookDeleted, webhookDisabled]
