import { Type, type Static } from 'typebox'
import type { Principal } from '../../core/api/contract.ts'
import { assertUnchanged, conflict, invalid, notFound } from '../../core/api/errors.ts'
import { newId } from '../../core/api/database/queries.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Deleted } from '../../core/api/schemas.ts'
import type { Ctx } from './context.ts'
import { webhookCreated, webhookDeleted, webhookUpdated } from './contract.ts'
import { deliveryRoutes, findWebhook, nameOf } from './delivery-routes.ts'
import { wake } from './delivering.ts'
import { MAX_STARS } from './globs.ts'
import * as queries from './queries.ts'
import {
  config,
  NewWebhook,
  params,
  tags,
  RotatedSecret,
  Webhook,
  WebhookChanges,
  WebhookWithSecret
} from './schemas.ts'
import { newSecret } from './secrets.ts'

const MAX_WEBHOOKS = 200
/** Hours for which a former secret signs, too. */
const FORMER_SECRET_HOURS = 24

export function webhookRoutes(app: App, ctx: Ctx): void {
  app.get(
    '/v1/webhooks',
    { config, schema: { tags, summary: 'Webhooks', response: answers(200, Type.Array(Webhook)) } },
    async ({ principal }) => (await queries.listWebhooks(ctx.db, principal.workspaceId)).map(webhookToJson)
  )

  app.post(
    '/v1/webhooks',
    {
      config,
      schema: {
        tags,
        summary: 'Create a webhook',
        description: 'Events are sent to it from now on, signed as Standard Webhooks says; see docs/webhooks.md.',
        body: NewWebhook,
        response: answers(201, WebhookWithSecret)
      }
    },
    async ({ principal, body }, reply) => reply.code(201).send(await makeWebhook(ctx, principal, body))
  )

  app.get(
    '/v1/webhooks/:id',
    { config, schema: { tags, summary: 'A webhook', params, response: answers(200, Webhook) } },
    async ({ principal, params }) => webhookToJson(await findWebhook(ctx, principal, params.id))
  )

  app.post(
    '/v1/webhooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a webhook',
        description: 'Activating it again sends its waiting deliveries at once.',
        params,
        body: WebhookChanges,
        response: answers(200, Webhook)
      }
    },
    async ({ principal, params, body }) => changeWebhook(ctx, principal, params.id, body)
  )

  endRoutes(app, ctx)
  deliveryRoutes(app, ctx)
}

function endRoutes(app: App, ctx: Ctx): void {
  app.delete(
    '/v1/webhooks/:id',
    {
      config,
      schema: { tags, summary: 'Remove a webhook and its deliveries', params, response: answers(200, Deleted) }
    },
    async ({ principal, params }) =>
      ctx.transaction(async trx => {
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
        summary: 'Create a new secret',
        description: `For ${FORMER_SECRET_HOURS} hours the former one signs, too.`,
        params,
        response: answers(200, RotatedSecret)
      }
    },
    async ({ principal, params }) => rotateSecret(ctx, principal, params.id)
  )
}

async function makeWebhook(ctx: Ctx, principal: Principal, body: Static<typeof NewWebhook>) {
  const { workspaceId, accountId } = principal
  const { url, types = ['*'], active = true, includeImports = false } = body
  assertUrl(url)
  assertTypes(types)
  const secret = newSecret()
  const created = await ctx.transaction(async trx => {
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
      createdAt: ctx.now()
    })
    await ctx.emit(trx, webhookCreated, principal, [{ subjectId: webhook.id, data: {} }])
    return webhook
  })
  return { ...webhookToJson(created), secret }
}

async function changeWebhook(ctx: Ctx, principal: Principal, id: string, body: Static<typeof WebhookChanges>) {
  const { previous, ...changed } = body
  if (body.url !== undefined) assertUrl(body.url)
  if (body.types !== undefined) assertTypes(body.types)
  const name = nameOf(principal, id)
  return ctx.transaction(async trx => {
    const before = await queries.lockWebhook(trx, name)
    if (before === undefined) throw notFound('webhook', id)
    assertUnchanged(previous, webhookToJson(before))
    const isRevived = body.active === true && !before.active
    const after = await queries.updateWebhook(trx, name, {
      ...changed,
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
      await queries.makeDue(trx, name, ctx.now())
      await wake(ctx, trx, name)
    }
    return webhookToJson(after!)
  })
}

async function rotateSecret(ctx: Ctx, principal: Principal, id: string) {
  const name = nameOf(principal, id)
  const secret = newSecret()
  const formerSecretUntil = new Date(ctx.now().getTime() + FORMER_SECRET_HOURS * 3_600_000)
  await ctx.transaction(async trx => {
    const before = await queries.lockWebhook(trx, name)
    if (before === undefined) throw notFound('webhook', id)
    await queries.updateWebhook(trx, name, { secret, formerSecret: before.secret, formerSecretUntil })
    await ctx.emit(trx, webhookUpdated, principal, [{ subjectId: before.id, data: { changes: [{ field: 'secret' }] } }])
  })
  return { id: name.id, secret, formerValidUntil: formerSecretUntil.toISOString() }
}

/** @throws 400 */
function assertUrl(text: string): void {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalid('body.url must be a URL that begins with https:// or http://, without a user and password.', {
      field: 'url'
    })
  }
}

/** @throws 400 */
function assertTypes(types: readonly string[]): void {
  const n = types.findIndex(glob => glob.split('*').length - 1 > MAX_STARS)
  if (n === -1) return
  throw invalid(
    `body.types.${n} has more than ${MAX_STARS} stars: write a type of events with few of them, such as issue.*.`,
    { field: `types.${n}` }
  )
}

type WebhookRow = NonNullable<Awaited<ReturnType<typeof queries.findWebhook>>>
const webhookToJson = ({ createdAt, failingSince, ...webhook }: WebhookRow) => ({
  ...webhook,
  createdAt: createdAt.toISOString(),
  failingSince: failingSince?.toISOString() ?? null
})
