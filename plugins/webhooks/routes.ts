import { Type } from 'typebox'
import type { Principal } from '../../core/contract.ts'
import { conflict, invalid, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { App } from '../../core/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../core/schemas.ts'
import type { Ctx } from './context.ts'
import { webhookCreated, webhookDeleted, webhookUpdated } from './contract.ts'
import { payloadOf, wake } from './delivering.ts'
import * as queries from './queries.ts'
import {
  Delivery,
  DeliveryPage,
  NewWebhook,
  RotatedSecret,
  Webhook,
  WebhookChanges,
  WebhookWithSecret
} from './schemas.ts'
import { newSecret } from './secrets.ts'

/** Webhooks of one workspace. */
const MAX_WEBHOOKS = 200
/** Hours for which a former secret signs, too. */
const FORMER_SECRET_HOURS = 24

const tags = ['webhooks']
/** For all routes: an URL may hold a secret, too. */
const config = { admin: true }
const params = Closed({ id: IdText })

export function webhookRoutes(app: App, ctx: Ctx): void {
  const { db, now, transaction } = ctx

  app.get(
    '/v1/webhooks',
    { config, schema: { tags, summary: 'Webhooks', response: answers(200, Type.Array(Webhook)) } },
    async ({ principal }) => (await queries.listWebhooks(db, principal.workspaceId)).map(shown)
  )

  app.post(
    '/v1/webhooks',
    {
      config,
      schema: {
        tags,
        summary: 'Make a webhook',
        description: 'Events are sent to it from now on, signed as Standard Webhooks says; see docs/webhooks.md.',
        body: NewWebhook,
        response: answers(201, WebhookWithSecret)
      }
    },
    async ({ principal, body }, reply) => {
      const { workspaceId, accountId } = principal
      const { url, types = ['*'], active = true, includeImports = false } = body
      assertUrl(url)
      const secret = newSecret()
      const made = await transaction(async trx => {
        if ((await queries.listWebhooks(trx, workspaceId)).length >= MAX_WEBHOOKS) {
          throw conflict(`A workspace has at most ${MAX_WEBHOOKS} webhooks: remove one first.`)
        }
        const webhook = await queries.insertWebhook(trx, {
          workspaceId,
          id: newId(),
          url,
          types,
          active,
          includeImports,
          secret,
          createdById: accountId,
          createdAt: now()
        })
        await ctx.emit(trx, webhookCreated, principal, [{ subjectId: webhook.id, data: {} }])
        return webhook
      })
      return reply.code(201).send({ ...shown(made), secret })
    }
  )

  app.get(
    '/v1/webhooks/:id',
    { config, schema: { tags, summary: 'A webhook', params, response: answers(200, Webhook) } },
    async ({ principal, params }) => shown(await find(principal, params.id))
  )

  app.post(
    '/v1/webhooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a webhook',
        description: 'Made active again, what was still to be delivered to it is tried at once.',
        params,
        body: WebhookChanges,
        response: answers(200, Webhook)
      }
    },
    async ({ principal, params, body }) => {
      if (body.url !== undefined) assertUrl(body.url)
      const name = nameOf(principal, params.id)
      return transaction(async trx => {
        const before = await queries.lockWebhook(trx, name)
        if (before === undefined) throw notFound('webhook', params.id)
        const isRevived = body.active === true && !before.active
        const after = await queries.updateWebhook(trx, name, {
          ...body,
          ...(isRevived && { failingSince: null, disabledReason: null })
        })
        const fields = (['url', 'types', 'active', 'includeImports'] as const).filter(
          field => body[field] !== undefined && JSON.stringify(body[field]) !== JSON.stringify(before[field])
        )
        const changes = fields.map(field => ({ field, from: before[field], to: body[field] }))
        if (changes.length > 0) {
          await ctx.emit(trx, webhookUpdated, principal, [{ subjectId: before.id, data: { changes } }])
        }
        if (isRevived) {
          await queries.makeDue(trx, name, now())
          await wake(ctx, trx, name)
        }
        return shown(after!)
      })
    }
  )

  app.delete(
    '/v1/webhooks/:id',
    {
      config,
      schema: { tags, summary: 'Remove a webhook and its deliveries', params, response: answers(200, Deleted) }
    },
    async ({ principal, params }) =>
      transaction(async trx => {
        const removed = await queries.removeWebhook(trx, nameOf(principal, params.id))
        if (removed === undefined) throw notFound('webhook', params.id)
        await ctx.emit(trx, webhookDeleted, principal, [{ subjectId: removed.id, data: {} }])
        return { id: removed.id, deleted: true as const }
      })
  )

  app.post(
    '/v1/webhooks/:id/rotate_secret',
    {
      config,
      schema: {
        tags,
        summary: 'Make a new secret',
        description: `For ${FORMER_SECRET_HOURS} hours the former one signs, too.`,
        params,
        response: answers(200, RotatedSecret)
      }
    },
    async ({ principal, params }) => {
      const name = nameOf(principal, params.id)
      const secret = newSecret()
      const formerSecretUntil = new Date(now().getTime() + FORMER_SECRET_HOURS * 3_600_000)
      await transaction(async trx => {
        const before = await queries.lockWebhook(trx, name)
        if (before === undefined) throw notFound('webhook', params.id)
        await queries.updateWebhook(trx, name, { secret, formerSecret: before.secret, formerSecretUntil })
        await ctx.emit(trx, webhookUpdated, principal, [
          { subjectId: before.id, data: { changes: [{ field: 'secret' }] } }
        ])
      })
      return { id: name.id, secret, formerValidUntil: formerSecretUntil.toISOString() }
    }
  )

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
    async ({ principal, params }, reply) => {
      const { id } = await find(principal, params.id)
      const at = now()
      const type = 'webhook.test'
      const payload = payloadOf(type, at.toISOString(), { webhookId: id })
      return reply.code(201).send(await add(principal, id, { eventId: null, type, subjectId: id, payload }))
    }
  )

  app.get(
    '/v1/webhooks/:id/deliveries',
    {
      config,
      schema: {
        tags,
        summary: 'The deliveries of the last 7 days, newest first',
        params,
        querystring: DeliveryPage,
        response: answers(200, Type.Array(Delivery))
      }
    },
    async ({ principal, params, query }) => {
      const { id } = await find(principal, params.id)
      return (await queries.listDeliveries(db, nameOf(principal, id), query)).map(shownDelivery)
    }
  )

  app.post(
    '/v1/webhooks/:id/deliveries/:deliveryId/redeliver',
    {
      config,
      schema: {
        tags,
        summary: 'Deliver again',
        description:
          'The same message, with the same `webhook-id`, behind what is still to be delivered of its subject.',
        params: Closed({ id: IdText, deliveryId: IdText }),
        body: Closed({}),
        response: answers(201, Delivery)
      }
    },
    async ({ principal, params }, reply) => {
      const former = await queries.findDelivery(db, nameOf(principal, params.id), params.deliveryId)
      if (former === undefined) throw notFound('delivery of this webhook', params.deliveryId)
      const { id, eventId, type, subjectId, payload } = former
      const again = { eventId, type, subjectId, payload, redeliveryOf: id }
      return reply.code(201).send(await add(principal, params.id, again))
    }
  )

  async function find(principal: Principal, id: string) {
    const webhook = await queries.findWebhook(db, nameOf(principal, id))
    if (webhook === undefined) throw notFound('webhook', id)
    return webhook
  }

  /** Adds a delivery that somebody has asked for. @throws 409 when the webhook is inactive */
  async function add(
    principal: Principal,
    webhookId: string,
    delivery: Pick<queries.NewDelivery, 'eventId' | 'type' | 'subjectId' | 'payload' | 'redeliveryOf'>
  ) {
    const { workspaceId } = principal
    const name = nameOf(principal, webhookId)
    return transaction(async trx => {
      const webhook = await queries.lockWebhook(trx, name)
      if (webhook?.active !== true) throw conflict('This webhook is not active: send it {"active": true} first.')
      const [id, at] = [newId(), now()]
      await queries.insertDeliveries(trx, [
        { workspaceId, id, webhookId: webhook.id, nextAttemptAt: at, createdAt: at, ...delivery }
      ])
      await wake(ctx, trx, name)
      return shownDelivery((await queries.findDelivery(trx, name, id))!)
    })
  }
}

const nameOf = ({ workspaceId }: Principal, id: string): queries.WebhookName => ({ workspaceId, id: id.toLowerCase() })

/** @throws 400 */
function assertUrl(text: string): void {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalid('body.url must be a URL that begins with https:// or http://, without a user and password.', {
      field: 'url'
    })
  }
}

type WebhookRow = NonNullable<Awaited<ReturnType<typeof queries.findWebhook>>>
const shown = ({ createdAt, failingSince, ...webhook }: WebhookRow) => ({
  ...webhook,
  createdAt: createdAt.toISOString(),
  failingSince: failingSince?.toISOString() ?? null
})

type DeliveryRow = Awaited<ReturnType<typeof queries.listDeliveries>>[number]
const shownDelivery = ({
  id,
  eventId,
  type,
  status,
  attempts,
  nextAttemptAt,
  responseStatus,
  durationMs,
  responseBody,
  error,
  createdAt,
  finishedAt
}: DeliveryRow) => ({
  id,
  eventId,
  type,
  status,
  attempts,
  nextAttemptAt: status === 'PENDING' ? nextAttemptAt.toISOString() : null,
  responseStatus,
  durationMs,
  responseBody,
  error,
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null
})
