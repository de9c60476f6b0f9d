import { sql, type Insertable, type Updateable } from 'kysely'
import { insertGroups, removeRows } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import type { Db, Trx } from './context.ts'
import type { DeliveryStatus, WebhooksTables } from './contract.ts'
import type { Outcome } from './send.ts'

export interface WebhookName {
  workspaceId: Id
  id: Id
}

const shownFields = [
  'id',
  'url',
  'types',
  'active',
  'includeImports',
  'createdById',
  'createdAt',
  'failingSince',
  'disabledReason'
] as const

export const listWebhooks = (db: Db, workspaceId: Id) =>
  db
    .selectFrom('webhook')
    .select(shownFields)
    .where('workspaceId', '=', workspaceId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const findWebhook = (db: Db, { workspaceId, id }: WebhookName) =>
  db
    .selectFrom('webhook')
    .select(shownFields)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function countFailing(db: Db): Promise<{ failing: number; disabled: number }> {
  return db
    .selectFrom('webhook')
    .select(eb => [
      eb.fn
        .countAll<number>()
        .filterWhere('active', '=', true)
        .filterWhere('failingSince', 'is not', null)
        .as('failing'),
      eb.fn.countAll<number>().filterWhere('disabledReason', 'is not', null).as('disabled')
    ])
    .executeTakeFirstOrThrow()
}

export const lockWebhook = (trx: Trx, { workspaceId, id }: WebhookName) =>
  trx
    .selectFrom('webhook')
    .select([...shownFields, 'secret', 'formerSecret', 'formerSecretUntil'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertWebhook = (trx: Trx, webhook: Insertable<WebhooksTables['webhook']>) =>
  trx.insertInto('webhook').values(webhook).returning(shownFields).executeTakeFirstOrThrow()

export const updateWebhook = (
  trx: Trx,
  { workspaceId, id }: WebhookName,
  changes: Updateable<WebhooksTables['webhook']>
) =>
  trx
    .updateTable('webhook')
    .set({ ...changes, id }) // with the id, so that no change is still SQL
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning(shownFields)
    .executeTakeFirst()

export const removeWebhook = (trx: Trx, { workspaceId, id }: WebhookName) =>
  trx
    .deleteFrom('webhook')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

export const listActive = (db: Db, workspaceId: Id) =>
  db
    .selectFrom('webhook')
    .select(['id', 'types', 'includeImports', 'createdAt'])
    .where('workspaceId', '=', workspaceId)
    .where('active', '=', true)
    .execute()

export type NewDelivery = Insertable<WebhooksTables['webhookDelivery']>

/** Adds deliveries in order, except for events that a webhook has a delivery of already. */
export async function insertDeliveries(trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  for (const group of insertGroups(deliveries)) {
    await trx
      .insertInto('webhookDelivery')
      .values(group)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}

export const findDelivery = (db: Db, { workspaceId, id: webhookId }: WebhookName, id: Id) =>
  db
    .selectFrom('webhookDelivery')
    .select(['id', 'eventId', 'type', 'subjectId', 'payload', 'redeliveryOf'])
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()

export const listDeliveries = (
  db: Db,
  { workspaceId, id: webhookId }: WebhookName,
  { id, limit, status, before }: { id?: Id; limit: number; status?: DeliveryStatus; before?: Id }
) =>
  db
    .selectFrom('webhookDelivery')
    .select(['id', 'eventId', 'type', 'status', 'attempts', 'nextAttemptAt', 'createdAt', 'finishedAt'])
    .select(['responseStatus', 'durationMs', 'responseBody', 'error'])
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', webhookId)
    .$if(id !== undefined, query => query.where('id', '=', id!))
    .$if(status !== undefined, query => query.where('status', '=', status!))
    .$if(before !== undefined, query =>
      query.where('position', '<', eb =>
        eb
          .selectFrom('webhookDelivery as last')
          .select('last.position')
          .where('last.workspaceId', '=', workspaceId)
          .where('last.id', '=', before!)
      )
    )
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()

export interface Claimed {
  workspaceId: Id
  id: Id
  webhookId: Id
  /** The same in each attempt and redelivery, for deduplication by receivers. */
  messageId: Id
  payload: string
  attempts: number
  url: string
  secrets: string[]
}

/**
 * Leases the next due delivery of a webhook. Of each subject only the oldest unfinished one is considered, so that they
 * are sent in order. Leases expire by the database's clock.
 */
export async function claimDelivery(
  trx: Trx,
  { workspaceId, id: webhookId }: WebhookName,
  now: Date,
  leaseSeconds: number
): Promise<Claimed | undefined> {
  // Raw: more readable than three nested queries in a builder.
  const { rows } = await sql<Omit<Claimed, 'secrets'> & { secret: string; formerSecret: string | null }>`
    update webhook_delivery d
    set attempts = d.attempts + 1, leased_until = now() + make_interval(secs => ${leaseSeconds})
    from webhook w
    where d.workspace_id = ${workspaceId} and w.workspace_id = ${workspaceId} and w.id = ${webhookId} and w.active
      and d.id = (
        select due.id from webhook_delivery due
        where due.workspace_id = ${workspaceId} and due.webhook_id = ${webhookId} and due.status = 'PENDING'
          and due.next_attempt_at <= ${now} and (due.leased_until is null or due.leased_until < now())
          and not exists (
            select 1 from webhook_delivery earlier
            where earlier.workspace_id = ${workspaceId} and earlier.webhook_id = ${webhookId}
              and earlier.subject_id = due.subject_id and earlier.status = 'PENDING'
              and earlier.position < due.position)
        order by due.position limit 1 for update skip locked)
    returning d.workspace_id, d.id, d.webhook_id, d.payload, d.attempts, w.url, w.secret,
      coalesce(d.event_id, d.redelivery_of, d.id) as message_id,
      case when w.former_secret_until > ${now} then w.former_secret end as former_secret`.execute(trx)
  const [row] = rows
  if (row === undefined) return undefined
  const { secret, formerSecret, ...claimed } = row
  return { ...claimed, secrets: formerSecret === null ? [secret] : [secret, formerSecret] }
}

const ofAttempt = (trx: Trx, { workspaceId, id, attempts }: Claimed) =>
  trx
    .updateTable('webhookDelivery')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    // If the lease has expired, the worker with the next lease records the result.
    .where('attempts', '=', attempts)

/** @param next the time of the retry; null: none */
export async function recordAttempt(
  trx: Trx,
  claimed: Claimed,
  { isDelivered, ...outcome }: Outcome,
  { next, now }: { next: Date | null; now: Date }
): Promise<void> {
  const isFinished = isDelivered || next === null
  await ofAttempt(trx, claimed)
    .set({
      ...outcome,
      leasedUntil: null,
      ...(isFinished && { status: isDelivered ? 'DELIVERED' : 'FAILED', finishedAt: now }),
      ...(next !== null && { nextAttemptAt: next })
    })
    .execute()
}

/** The attempt does not count. */
export async function releaseDelivery(trx: Trx, claimed: Claimed): Promise<void> {
  await ofAttempt(trx, claimed)
    .set({ leasedUntil: null, attempts: claimed.attempts - 1 })
    .execute()
}

export async function nextAttemptAt(db: Db, { workspaceId, id }: WebhookName, after: Date): Promise<Date | null> {
  const { at } = await db
    .selectFrom('webhookDelivery')
    .select(({ fn }) => fn.min('nextAttemptAt').as('at'))
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .where('status', '=', 'PENDING')
    .where('nextAttemptAt', '>', after)
    .executeTakeFirstOrThrow()
  return at
}

export const makeDue = (trx: Trx, { workspaceId, id: webhookId }: WebhookName, now: Date) =>
  trx
    .updateTable('webhookDelivery')
    .set({ nextAttemptAt: now })
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', webhookId)
    .where('status', '=', 'PENDING')
    .where('nextAttemptAt', '>', now)
    .execute()

export const listDue = (db: Db, now: Date): Promise<WebhookName[]> =>
  db
    .selectFrom('webhook as w')
    .select(['w.workspaceId', 'w.id'])
    .where('w.active', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhookDelivery as d')
          .select('d.id')
          .whereRef('d.workspaceId', '=', 'w.workspaceId')
          .whereRef('d.webhookId', '=', 'w.id')
          .where('d.status', '=', 'PENDING')
          .where('d.nextAttemptAt', '<=', now)
      )
    )
    .execute()

export const removeOldDeliveries = (db: Db, before: Date) =>
  removeRows(db, 'webhook_delivery', ['workspace_id', 'id'], sql`old.created_at < ${before}`)
