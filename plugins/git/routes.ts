import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import type { Principal } from '../../core/api/contract.ts'
import { conflict, notFound } from '../../core/api/errors.ts'
import { newId } from '../../core/api/database/queries.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText, secretShownOnce, Time } from '../../core/api/schemas.ts'
import { readScope, writeScope } from '../../core/api/scopes.ts'
import type { Ctx, Trx } from './context.ts'
import { gitHookCreated, gitHookDeleted, gitHookUpdated } from './contract.ts'
import { insertHook, listHooks, lockAgent, updateHook, type HookName } from './queries.ts'

const SECRET_BYTES = 32
const MAX_HOOKS = 200
const Hook = Closed({
  id: IdText,
  repository: Type.String(),
  path: Type.String({ description: 'Where GitHub sends its deliveries, behind the address of this server.' }),
  createdAt: Time
})
const NewHook = Closed({
  repository: Type.String({ pattern: '^[\\w.-]{1,100}/[\\w.-]{1,100}$', description: '`owner/name`.' })
})
const secret = secretShownOnce(
  'secret',
  'Shown only now: for the settings of the webhook at GitHub.',
  'The secret was shown once, in the first answer: get another with POST /v1/git/hooks/:id/rotate_secret.'
)
const params = Closed({ id: IdText })
const config = { admin: true }
const tags = ['git']

export function hookRoutes(app: App, ctx: Ctx): void {
  app.get(
    '/v1/git/hooks',
    { config, schema: { tags, summary: 'Hooks of repositories', response: answers(200, Type.Array(Hook)) } },
    async ({ principal }) => (await listHooks(ctx.db, principal.workspaceId)).map(hookToJson)
  )

  app.post(
    '/v1/git/hooks',
    {
      config,
      schema: {
        tags,
        summary: 'Create a hook for a repository',
        description:
          'Add it in the repository’s settings, under Webhooks: this server’s address with `path`, content type ' +
          '`application/json`, the `secret`, and the events “Pushes” and “Pull requests”.',
        body: NewHook,
        response: answers(201, Closed({ ...Hook.properties, ...secret }))
      }
    },
    async ({ principal, body }, reply) => reply.code(201).send(await makeHook(ctx, principal, body.repository))
  )
  endRoutes(app, ctx)
}

function endRoutes(app: App, { now, transaction, emit }: Ctx): void {
  app.post(
    '/v1/git/hooks/:id/rotate_secret',
    {
      config,
      schema: {
        tags,
        summary: 'Create a new secret',
        description:
          'The former one is invalid at once: set the new one at GitHub, and redeliver the failed deliveries.',
        params,
        response: answers(200, Closed({ id: IdText, ...secret }))
      }
    },
    async ({ principal, params }) => {
      const name = nameOf(principal, params.id)
      const secret = newSecret()
      await transaction(async trx => {
        if (!(await updateHook(trx, name, { secret }))) throw notFound('hook', params.id)
        await emit(trx, gitHookUpdated, principal, [{ subjectId: name.id, data: { changes: [{ field: 'secret' }] } }])
      })
      return { id: name.id, secret }
    }
  )

  app.delete(
    '/v1/git/hooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove a hook',
        description: 'Its deliveries are refused from now on; links stay.',
        params,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) => {
      const name = nameOf(principal, params.id)
      await transaction(async trx => {
        if (!(await updateHook(trx, name, { deletedAt: now() }))) throw notFound('hook', params.id)
        await emit(trx, gitHookDeleted, principal, [{ subjectId: name.id, data: {} }])
      })
      return { id: name.id, deleted: true as const }
    }
  )
}

async function makeHook(ctx: Ctx, principal: Principal, repository: string) {
  const { workspaceId } = principal
  const hook = { id: newId(), repository, createdAt: ctx.now() }
  const secret = newSecret()
  await ctx.transaction(async trx => {
    const accountId = await agentFor(ctx, trx, principal)
    if ((await listHooks(trx, workspaceId)).length >= MAX_HOOKS) {
      throw conflict(`A workspace has at most ${MAX_HOOKS} hooks: remove one first.`)
    }
    await insertHook(trx, { workspaceId, ...hook, secret, accountId })
    await ctx.emit(trx, gitHookCreated, principal, [{ subjectId: hook.id, data: {} }])
  })
  return { ...hookToJson(hook), secret }
}

const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url')
const nameOf = ({ workspaceId }: Principal, id: string): HookName => ({ workspaceId, id })
const hookToJson = ({ id, repository, createdAt }: { id: string; repository: string; createdAt: Date }) => ({
  id,
  repository,
  path: `/v1/git/github/${id}`,
  createdAt: createdAt.toISOString()
})

/** The account that acts for authors without a mapping; created with the first hook. */
async function agentFor({ use, settings }: Ctx, trx: Trx, principal: Principal): Promise<string> {
  const existing = await lockAgent(trx, principal.workspaceId)
  if (existing !== undefined) return existing
  return use.agents.create(principal, trx, { fullname: settings.accountName, scopes: [readScope, writeScope] })
}
