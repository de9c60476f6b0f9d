import { Type } from 'typebox'
import type { Principal } from '../../core/api/contract.ts'
import { conflict, notFound } from '../../core/api/errors.ts'
import { newId } from '../../core/api/database/queries.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, IdText } from '../../core/api/schemas.ts'
import type { Ctx } from './context.ts'
import { payloadOf, wake } from './delivering.ts'
import * as queries from './queries.ts'
import { config, Delivery, DeliveryPage, params, tags } from './schemas.ts'

export function deliveryRoutes(app: App, ctx: Ctx): void {
  app.post(
    '/v1/webhooks/:id/test',
    {
      config,
      schema: {
        tags,
        summary: 'Send a test',
        description: 'A message of the type `webhook.test`. Its delivery says how it went.',
        params,
        body: Closed({}),
        response: answers(201, Delivery)
      }
    },
    async ({ principal, params }, reply) => reply.code(201).send(await sendTest(ctx, principal, params.id))
  )

  app.get(
    '/v1/webhooks/:id/deliveries',
    {
      config,
      schema: {
        tags,
        summary: 'The deliveries that are kept (by default for 7 days), newest first',
        params,
        querystring: DeliveryPage,
        response: answers(200, Type.Array(Delivery))
      }
    },
    async ({ principal, params, query }) => {
      const { id } = await findWebhook(ctx, principal, params.id)
      return (await queries.listDeliveries(ctx.db, nameOf(principal, id), query)).map(deliveryToJson)
    }
  )

  app.post(
    '/v1/webhooks/:id/deliveries/:deliveryId/redeliver',
    {
      config,
      schema: {
        tags,
        summary: 'Deliver again',
        description: 'The same message, with the same `webhook-id`, after the waiting deliveries of its subject.',
        params: Closed({ id: IdText, deliveryId: IdText }),
        body: Closed({}),
        response: answers(201, Delivery)
      }
    },
    async ({ principal, params }, reply) =>
      reply.code(201).send(await deliverAgain(ctx, principal, params.id, params.deliveryId))
  )
}

export const nameOf = ({ workspaceId }: Principal, id: string): queries.WebhookName => ({ workspaceId, id })

export async function findWebhook({ db }: Ctx, principal: Principal, id: string) {
  const webhook = await queries.findWebhook(db, nameOf(principal, id))
  if (webhook === undefined) throw notFound('webhook', id)
  return webhook
}

async function sendTest(ctx: Ctx, principal: Principal, webhookId: string) {
  const { id } = await findWebhook(ctx, principal, webhookId)
  const type = 'webhook.test'
  const payload = payloadOf(type, ctx.now().toISOString(), { webhookId: id })
  return addDelivery(ctx, principal, id, { eventId: null, type, subjectId: id, payload })
}

async function deliverAgain(ctx: Ctx, principal: Principal, webhookId: string, deliveryId: string) {
  const former = await queries.findDelivery(ctx.db, nameOf(principal, webhookId), deliveryId)
  if (former === undefined) throw notFound('delivery of this webhook', deliveryId)
  const { id, eventId, type, subjectId, payload, redeliveryOf } = former
  const again = { eventId, type, subjectId, payload, redeliveryOf: redeliveryOf ?? id }
  return addDelivery(ctx, principal, webhookId, again)
}

/** @throws 409 when the webhook is inactive */
async function addDelivery(
  ctx: Ctx,
  principal: Principal,
  webhookId: string,
  delivery: Pick<queries.NewDelivery, 'eventId' | 'type' | 'subjectId' | 'payload' | 'redeliveryOf'>
) {
  const { workspaceId } = principal
  const name = nameOf(principal, webhookId)
  return ctx.transaction(async trx => {
    const webhook = await queries.lockWebhook(trx, name)
    if (webhook?.active !== true) throw conflict('This webhook is not active: send it {"active": true} first.')
    const [id, at] = [newId(), ctx.now()]
    await queries.insertDeliveries(trx, [
      { workspaceId, id, webhookId: webhook.id, nextAttemptAt: at, createdAt: at, ...delivery }
    ])
    await wake(ctx, trx, name)
    const [added] = await queries.listDeliveries(trx, name, { id, limit: 1 })
    return deliveryToJson(added!)
  })
}

type DeliveryRow = Awaited<ReturnType<typeof queries.listDeliveries>>[number]
const deliveryToJson = ({ nextAttemptAt, createdAt, finishedAt, ...delivery }: DeliveryRow) => ({
  ...delivery,
  nextAttemptAt: delivery.status === 'PENDING' ? nextAttemptAt.toISOString() : null,
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null
})
