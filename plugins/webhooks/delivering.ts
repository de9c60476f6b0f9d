import type { Agent } from 'undici'
import { daysBefore } from '../../lib/util/days.ts'
import { job } from '../../core/api/contract.ts'
import type { Handled, LoggedEvent } from '../../core/api/events.ts'
import { newId } from '../../core/api/database/queries.ts'
import { makeAgent, version } from '../../core/api/http.ts'
import { singleton } from '../../core/api/plugin.ts'
import { eventToJson } from '../events/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { webhookDisabled, webhooks } from './contract.ts'
import { matchesGlob } from './globs.ts'
import * as queries from './queries.ts'
import type { Claimed, NewDelivery, WebhookName } from './queries.ts'
import { signatureHeaders } from './secrets.ts'
import { send, type Outcome } from './send.ts'

export const deliver = job<WebhookName>()(webhooks, 'deliver', { keyed: true })
/** Wakes webhooks with due deliveries, and removes old deliveries. */
export const announce = job<Record<string, never>>()(webhooks, 'announce')

/** Seconds to wait after each failed attempt; the last one is within 24 hours. */
const RETRY_AFTER_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 36_000]
/** Days of failures after which a webhook is disabled. */
const DISABLE_AFTER_DAYS = 5
/** Concurrent deliveries to one webhook by one process, each of another subject. */
const MAX_AT_ONCE = 4
/** The length of a lease, in timeouts of an attempt: then its process counts as dead. */
const LEASE_ATTEMPTS = 3
/** Maximum delay of a retry by timer; `announce` finds later ones. */
const MAX_TIMER_MS = 60_000

/** True if a webhook gets an event: not events for one account, nor from before it was created. */
export function wants(
  { types, includeImports, createdAt }: { types: readonly string[]; includeImports: boolean; createdAt: Date },
  { type, origin, audience, at }: LoggedEvent
): boolean {
  if (audience === 'account' || (origin === 'import' && !includeImports) || new Date(at) < createdAt) return false
  return types.some(glob => matchesGlob(glob, type))
}

/** The body of a message, as Standard Webhooks recommends. */
export const payloadOf = (type: string, at: string, data: object): string =>
  JSON.stringify({ type, timestamp: at, data })

/** Repeatable: existing deliveries are unchanged. */
export async function addDeliveries(ctx: Ctx, events: readonly LoggedEvent[]): Promise<Handled> {
  let handled: Handled = 'nothing to do'
  for (const [workspaceId, own] of Map.groupBy(events, event => event.workspaceId)) {
    const active = await queries.listActive(ctx.db, workspaceId)
    const at = ctx.now()
    const deliveries = own.flatMap(event =>
      active
        .filter(webhook => wants(webhook, event))
        .map(({ id: webhookId }): NewDelivery => ({
          workspaceId,
          id: newId(),
          webhookId,
          eventId: event.id,
          type: event.type,
          subjectId: event.subject.id,
          payload: payloadOf(event.type, event.at, eventToJson(event)),
          nextAttemptAt: at,
          createdAt: at
        }))
    )
    if (deliveries.length === 0) continue
    await ctx.transaction(async trx => {
      await queries.insertDeliveries(trx, deliveries)
      for (const id of new Set(deliveries.map(({ webhookId }) => webhookId))) await wake(ctx, trx, { workspaceId, id })
    })
    handled = undefined
  }
  return handled
}

export const wake = (ctx: Ctx, when: Trx | 'now', webhook: WebhookName): Promise<void> =>
  ctx.enqueue(when, deliver, [webhook], { key: webhook.id })

const sender = singleton(
  'sender',
  ({ settings }: Ctx) => {
    let agent: Promise<Agent> | undefined
    return {
      agent: () => (agent ??= makeAgent(settings.allowPrivateAddresses, 'plugins.webhooks.allowPrivateAddresses')),
      closeConnections: async () => (await agent)?.destroy(),
      timers: new Map<string, NodeJS.Timeout>()
    }
  },
  async ({ closeConnections, timers }) => {
    for (const timer of timers.values()) clearTimeout(timer)
    await closeConnections()
  }
)

/** Sends the due deliveries of a webhook, several subjects concurrently, until none is due. */
export async function deliverDue(ctx: Ctx, webhook: WebhookName, signal: AbortSignal): Promise<void> {
  const leaseSeconds = (LEASE_ATTEMPTS * ctx.settings.attemptTimeoutMs) / 1000
  async function sendOneByOne(): Promise<void> {
    while (!signal.aborted) {
      const claimed = await ctx.transaction(trx => queries.claimDelivery(trx, webhook, ctx.now(), leaseSeconds))
      if (claimed === undefined) return
      await attempt(ctx, claimed, signal)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: MAX_AT_ONCE }, sendOneByOne))
  const failed = ended.find(result => result.status === 'rejected')
  if (failed) throw failed.reason
  const next = await queries.nextAttemptAt(ctx.db, webhook, ctx.now())
  if (next !== null && !signal.aborted) wakeAt(ctx, webhook, next)
}

function wakeAt(ctx: Ctx, webhook: WebhookName, at: Date): void {
  const { timers } = ctx.get(sender)
  const inMs = at.getTime() - ctx.now().getTime()
  if (inMs > MAX_TIMER_MS) return
  clearTimeout(timers.get(webhook.id))
  const timer = setTimeout(
    () => {
      timers.delete(webhook.id)
      wake(ctx, 'now', webhook).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'a delivery will be tried again later than it should')
      })
    },
    Math.max(0, inMs)
  )
  timers.set(webhook.id, timer.unref())
}

async function attempt(ctx: Ctx, claimed: Claimed, signal: AbortSignal): Promise<void> {
  const { messageId, payload, secrets, url } = claimed
  const headers = {
    'user-agent': `tracker/${version}`,
    ...signatureHeaders(secrets, messageId, payload, ctx.now())
  }
  let outcome: Outcome
  try {
    const timeoutMs = ctx.settings.attemptTimeoutMs
    outcome = await send(await ctx.get(sender).agent(), url, { headers, body: payload, signal, timeoutMs })
  } catch (error) {
    await ctx.transaction(trx => queries.releaseDelivery(trx, claimed))
    throw error
  }
  await record(ctx, claimed, outcome)
}

async function record(ctx: Ctx, claimed: Claimed, outcome: Outcome): Promise<void> {
  const { workspaceId, webhookId, attempts } = claimed
  const now = ctx.now()
  const waitSeconds = outcome.isDelivered ? undefined : RETRY_AFTER_SECONDS[attempts - 1]
  const next = waitSeconds === undefined ? null : new Date(now.getTime() + waitSeconds * 1000)
  await ctx.transaction(async trx => {
    const name = { workspaceId, id: webhookId }
    const webhook = await queries.lockWebhook(trx, name)
    if (webhook === undefined) return
    await queries.recordAttempt(trx, claimed, outcome, { next, now })
    const { failingSince, active, url } = webhook
    if (outcome.isDelivered) {
      if (failingSince !== null) await queries.updateWebhook(trx, name, { failingSince: null })
    } else if (failingSince === null) {
      await queries.updateWebhook(trx, name, { failingSince: now })
    } else if (active && failingSince < daysBefore(now, DISABLE_AFTER_DAYS)) {
      const reason = `For ${DISABLE_AFTER_DAYS} days nothing could be delivered. ${outcome.error ?? ''}`.trim()
      await queries.updateWebhook(trx, name, { active: false, disabledReason: reason })
      await ctx.emit(trx, webhookDisabled, ctx.asServer(workspaceId), [{ subjectId: webhookId, data: { url, reason } }])
      ctx.log.warn(
        { webhook: webhookId, workspace: workspaceId },
        'a webhook was made inactive: nothing could be delivered'
      )
    }
  })
}

/** Wakes a worker for due deliveries, in case a wake-up was lost, and removes old ones. */
export async function announceDue(ctx: Ctx): Promise<void> {
  await queries.removeOldDeliveries(ctx.db, daysBefore(ctx.now(), ctx.settings.deliveriesKeepDays))
  for (const webhook of await queries.listDue(ctx.db, ctx.now())) await wake(ctx, 'now', webhook)
}
