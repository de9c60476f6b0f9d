import { definePlugin } from '../../core/api/plugin.ts'
import { eventTypes, examinations } from '../../core/api/points.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { webhookEvents } from './contract.ts'
import { addDeliveries, announce, announceDue, deliver, deliverDue } from './delivering.ts'
import { examineWebhooks } from './examination.ts'
import { webhookRoutes } from './routes.ts'

/** Webhooks that one process serves concurrently, so that slow ones do not delay the others. */
const MAX_WEBHOOKS_AT_ONCE = 16
/** The same for a workspace, over all processes. */
const MAX_OF_WORKSPACE = 8

export default definePlugin(dependencies, {
  summary: 'Webhooks: events are sent to other systems, signed, in order, and again until they arrive',
  tables: { webhook: 'workspace', webhookDelivery: 'workspace' },
  migrations: { '001_webhooks': () => import('./migrations/001_webhooks.ts') },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of webhookEvents) ctx.contribute(eventTypes, type)
    ctx.consume('deliveries', {
      events: 'all',
      debounceMs: 50,
      onGap: 'skip',
      handle: (events, ctx) => addDeliveries(ctx, events)
    })
    ctx.contributeWith(examinations, ctx => [{ part: 'webhooks', examine: () => examineWebhooks(ctx) }])
    const options = {
      concurrency: MAX_WEBHOOKS_AT_ONCE,
      workspaceConcurrency: MAX_OF_WORKSPACE,
      expireSeconds: 3600
    }
    ctx.work(deliver, options, async (webhooks, ctx, signal) => {
      for (const webhook of webhooks) await deliverDue(ctx, webhook, signal)
    })
    ctx.work(announce, {}, (_payloads, ctx) => announceDue(ctx))
    ctx.schedule(announce, '* * * * *')
  },
  routes: webhookRoutes
})
