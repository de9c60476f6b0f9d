import { Type } from 'typebox'
import { invalid, notFound } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../../core/api/schemas.ts'
import { readScope } from '../../../core/api/scopes.ts'
import { assertPerson } from '../consent/routes.ts'
import { ConnectableAgent, Grant } from '../consent/schemas.ts'
import type { Ctx } from '../context.ts'
import { connectorsChanged } from '../contract.ts'
import { listConnectors, listPeople, lockAgent, replaceConnectors } from '../queries/agents.ts'
import { listGrants, listGrantsOf, lockGrant } from '../queries/grants.ts'
import { revokeGrant, revokeGrants } from './grants.ts'

const tags = ['oauth']
/** Maximum people who may connect clients as one agent. */
const MAX_CONNECTORS = 100

export function grantRoutes(app: App, ctx: Ctx): void {
  const { db, now, transaction } = ctx

  app.get(
    '/v1/oauth/grants',
    {
      schema: {
        tags,
        summary: 'Clients that act as agents',
        description: 'Those that you have connected; for administrators all. At most 500, the newest first.',
        response: answers(200, Type.Array(Grant))
      }
    },
    async ({ principal }) => {
      assertPerson(principal)
      const { workspaceId, role, accountId: personId } = principal
      const grants = await listGrants(db, workspaceId, now(), role === 'ADMIN' ? {} : { personId })
      return grants.map(grant => ({
        id: grant.id,
        client: { id: grant.clientId, name: grant.clientName },
        redirectHost: grant.redirectHost,
        agent: { id: grant.agentId, fullname: grant.agentName },
        person: { id: grant.personId, fullname: grant.personName },
        scopes: grant.scopes,
        createdAt: grant.createdAt.toISOString(),
        lastUsedAt: grant.lastUsedAt?.toISOString() ?? null
      }))
    }
  )

  app.delete(
    '/v1/oauth/grants/:id',
    {
      config: { scope: readScope },
      schema: {
        tags,
        summary: 'Disconnect a client',
        description: 'Its tokens are refused from the next request on. Your own, or, for administrators, anybody’s.',
        params: Closed({ id: IdText }),
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params: { id } }) => {
      assertPerson(principal)
      const { workspaceId, role, accountId } = principal
      return transaction(async trx => {
        const grant = await lockGrant(trx, { workspaceId, grantId: id })
        if (!grant || (role !== 'ADMIN' && grant.personId !== accountId)) throw notFound('connection', id)
        await revokeGrant(ctx, trx, principal, grant, 'REVOKED')
        return { id, deleted: true as const }
      })
    }
  )
}

export function connectorRoutes(app: App, ctx: Ctx): void {
  const { db, emit, transaction } = ctx

  app.get(
    '/v1/oauth/agents',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Who may connect clients as which agent',
        description: 'Beside administrators, who may always. Agents that are not listed have nobody else.',
        response: answers(200, Type.Array(ConnectableAgent))
      }
    },
    async ({ principal: { workspaceId } }) => {
      const connectors = Map.groupBy(await listConnectors(db, workspaceId), ({ agentId }) => agentId)
      return [...connectors].map(([agentId, people]) => ({
        agentId,
        connectableBy: people.map(({ personId }) => personId)
      }))
    }
  )

  app.post(
    '/v1/oauth/agents/:id',
    {
      config: { admin: true },
      schema: {
        tags,
        summary: 'Set who may connect clients as an agent',
        description: 'The connections of people who no longer may are ended.',
        params: Closed({ id: IdText }),
        body: Closed({ connectableBy: Type.Array(IdText, { maxItems: MAX_CONNECTORS, uniqueItems: true }) }),
        response: answers(200, ConnectableAgent)
      }
    },
    async ({ principal, params: { id: agentId }, body }) => {
      const { workspaceId } = principal
      const connectableBy = [...new Set(body.connectableBy.map(id => id.toLowerCase()))].toSorted()
      return transaction(async trx => {
        if (!(await lockAgent(trx, workspaceId, agentId))) throw notFound('agent', agentId)
        const people = connectableBy.length === 0 ? [] : await listPeople(trx, workspaceId, connectableBy)
        const unknown = connectableBy.find(personId => !people.some(({ id }) => id === personId))
        if (unknown !== undefined) throw invalid(`body.connectableBy: '${unknown}' is no person of this workspace.`)
        const before = (await listConnectors(trx, workspaceId, agentId)).map(({ personId }) => personId)
        await replaceConnectors(trx, workspaceId, agentId, connectableBy)
        const personIds = before.filter(personId => !connectableBy.includes(personId))
        const grants = personIds.length === 0 ? [] : await listGrantsOf(trx, workspaceId, { agentId, personIds })
        const grantIds = grants.map(({ id }) => id)
        await revokeGrants(ctx, trx, principal, grantIds, 'NOT_CONNECTABLE')
        const data = { agentId, connectableBy }
        await emit(trx, connectorsChanged, principal, [{ subjectId: agentId, data }])
        return data
      })
    }
  )
}
