import { Type } from 'typebox'
import {
  accountCreated,
  accountDeleted,
  AccountNames,
  accountTokenRotated,
  accountUpdated,
  insertToken,
  removeAccount,
  revokeTokens
} from '../../core/api/accounts.ts'
import type { Principal } from '../../core/api/contract.ts'
import { assertUnchanged, notFound } from '../../core/api/errors.ts'
import { updatedEvents } from '../../core/api/events.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../core/api/schemas.ts'
import type { Ctx } from './context.ts'
import { insertAgent, listAgents, lockAgent, updateAgent } from './queries.ts'
import { Agent, agentBodies, AgentToken, AgentWithToken } from './schemas.ts'

const tags = ['agents']
const config = { admin: true }
const params = Closed({ id: IdText })

export function agentRoutes(app: App, ctx: Ctx): void {
  const { db, emit, transaction } = ctx
  const { NewAgent, AgentChanges } = agentBodies(ctx.use.access.scopes())

  app.post(
    '/v1/users/agents',
    {
      config,
      schema: {
        tags,
        summary: 'Create an agent',
        description:
          'Its token is shown once. Its default scopes are `read` and `write`; `delete` must be requested. ' +
          'Its name must not look like that of another account of the workspace (409).',
        body: NewAgent,
        response: answers(201, AgentWithToken)
      }
    },
    async ({ principal, body }, reply) => reply.code(201).send(await makeAgent(ctx, principal, body))
  )

  app.get(
    '/v1/users/agents',
    { schema: { tags, summary: 'Agents', response: answers(200, Type.Array(Agent)) } },
    async ({ principal }) => listAgents(db, principal.workspaceId, ctx.use.access.defaultScopes())
  )

  app.post(
    '/v1/users/agents/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change an agent’s name or scopes',
        params,
        body: AgentChanges,
        response: answers(200, Agent)
      }
    },
    async ({ principal, params, body }) =>
      transaction(async trx => {
        const { name, scopes, previous } = body
        const names = name === undefined ? undefined : await AccountNames.lock(trx, principal.workspaceId)
        const before = await lockAgent(trx, principal.workspaceId, params.id)
        if (!before) throw notFound('agent', params.id)
        assertUnchanged(previous, { ...before, scopes: before.scopes ?? ctx.use.access.defaultScopes() })
        if (name !== undefined && name !== before.fullname) {
          names?.assertFree(name, 'name', { id: params.id, isAdmin: false })
        }
        const changes = { ...(name !== undefined && { fullname: name }), ...(scopes && { scopes }) }
        await updateAgent(trx, principal.workspaceId, params.id, changes)
        const updated = updatedEvents(before, { ...before, ...changes }, ['fullname', 'scopes'])
        await emit(trx, accountUpdated, principal, updated)
        const [agent] = await listAgents(trx, principal.workspaceId, ctx.use.access.defaultScopes(), params.id)
        return agent!
      })
  )
  endRoutes(app, ctx)
}

function endRoutes(app: App, { emit, now, transaction }: Ctx): void {
  app.post(
    '/v1/users/agents/:id/token',
    {
      config,
      schema: {
        tags,
        summary: 'Rotate an agent’s token',
        description: 'The previous token is refused from the next request on.',
        params,
        response: answers(200, AgentToken)
      }
    },
    async ({ principal, params }) =>
      transaction(async trx => {
        const { workspaceId } = principal
        if (!(await lockAgent(trx, workspaceId, params.id))) throw notFound('agent', params.id)
        await revokeTokens(trx, workspaceId, params.id, now())
        const { token } = await insertToken(trx, workspaceId, { accountId: params.id, name: 'Agent token' })
        await emit(trx, accountTokenRotated, principal, [{ subjectId: params.id, data: {} }])
        return { id: params.id, token }
      })
  )

  app.delete(
    '/v1/users/agents/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove an agent',
        description: 'Its token is revoked at once; its name stays in the history.',
        params,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params }) =>
      transaction(async trx => {
        const { workspaceId } = principal
        const agent = await lockAgent(trx, workspaceId, params.id)
        if (!agent) throw notFound('agent', params.id)
        await removeAccount(trx, workspaceId, params.id, now())
        const { id, fullname } = agent
        await emit(trx, accountDeleted, principal, [{ subjectId: id, data: { kind: 'AGENT', fullname } }])
        return { id: params.id, deleted: true as const }
      })
  )
}

async function makeAgent(ctx: Ctx, principal: Principal, body: { name: string; scopes?: string[] }) {
  const { workspaceId, accountId } = principal
  const scopes = body.scopes ?? ctx.use.access.defaultScopes()
  const newAgent = await ctx.transaction(async trx => {
    const names = await AccountNames.lock(trx, workspaceId)
    names.assertFree(body.name, 'name', { isAdmin: false })
    const id = await insertAgent(trx, { workspaceId, fullname: body.name, scopes, createdById: accountId })
    const { token } = await insertToken(trx, workspaceId, { accountId: id, name: 'Agent token' })
    await ctx.emit(trx, accountCreated, principal, [{ subjectId: id, data: { kind: 'AGENT', fullname: body.name } }])
    const [agent] = await listAgents(trx, workspaceId, ctx.use.access.defaultScopes(), id)
    return { ...agent!, token }
  })
  const { lastUsedAt: _, ...agent } = newAgent
  return agent
}
