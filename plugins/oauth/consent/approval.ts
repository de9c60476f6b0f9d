import type { Principal } from '../../../core/api/contract.ts'
import { newId } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { hashToken, newToken } from '../../../core/api/accounts.ts'
import { assertAdmin, readScope } from '../../../core/api/scopes.ts'
import { forbidden, invalid } from '../../../core/api/errors.ts'
import type { Ctx, Trx } from '../context.ts'
import { grantCreated } from '../contract.ts'
import { listAgents } from '../queries/agents.ts'
import { insertGrant } from '../queries/grants.ts'
import { insertCode } from '../queries/secrets.ts'
import type { Authorization } from './authorization.ts'

const CODE_MS = 60_000

interface Approval {
  agentId?: string
  newAgent?: string
  scopes?: string[]
}

/** For administrators all. */
export async function connectableAgents(
  ctx: Ctx,
  db: Ctx['db'] | Trx,
  { workspaceId, accountId, role }: Principal,
  id?: Id
) {
  const agents = await listAgents(db, workspaceId, { connectableBy: role === 'ADMIN' ? undefined : accountId, id })
  return agents.map(({ id, fullname, scopes }) => ({
    id,
    fullname,
    scopes: scopes ?? ctx.use.access.defaultScopes()
  }))
}

/** @returns the code for the client, and the grant @throws 400, 403 */
export async function approve(
  ctx: Ctx,
  principal: Principal,
  { client, redirectUri, redirectHost, codeChallenge }: Authorization,
  { agentId, newAgent, scopes = [] }: Approval
): Promise<{ code: string; grantId: Id }> {
  assertScopes(ctx, scopes)
  const { workspaceId, accountId: personId } = principal
  const [code, grantId] = [newToken(), newId()]
  const createdAt = ctx.now()
  const expiresAt = new Date(createdAt.getTime() + CODE_MS)
  await ctx.transaction(async trx => {
    const accountId =
      newAgent === undefined
        ? await chosenAgent(ctx, trx, principal, agentId, scopes)
        : await createAgent(ctx, trx, principal, newAgent, scopes)
    await insertGrant(trx, {
      ...{ workspaceId, id: grantId, accountId, personId, scopes, createdAt, expiresAt, redirectHost },
      ...{ clientId: client.id, clientName: client.name }
    })
    await insertCode(trx, { workspaceId, hash: hashToken(code), grantId, redirectUri, codeChallenge, expiresAt })
    const data = { agentId: accountId, client: client.name, redirectHost, scopes }
    await ctx.emit(trx, grantCreated, principal, [{ subjectId: grantId, data }])
  })
  return { code, grantId }
}

function assertScopes(ctx: Ctx, scopes: readonly string[]): void {
  const unknown = scopes.find(scope => !ctx.use.access.scopes().some(({ name }) => name === scope))
  if (unknown !== undefined) throw invalid(`body.scopes: there is no scope '${unknown}'.`, { field: 'scopes' })
  if (!scopes.includes(readScope.name)) {
    throw invalid('body.scopes must have `read`, which every tool needs.', { field: 'scopes' })
  }
}

/** @throws 403 when the person may not choose it, 400 when it does not have the scopes */
async function chosenAgent(
  ctx: Ctx,
  trx: Trx,
  principal: Principal,
  agentId: string | undefined,
  scopes: readonly string[]
): Promise<Id> {
  const [agent] = agentId === undefined ? [] : await connectableAgents(ctx, trx, principal, agentId)
  if (agent === undefined) {
    throw forbidden('Choose an agent as which you may connect clients; an administrator can let you use others.')
  }
  const missing = scopes.find(scope => !agent.scopes.includes(scope))
  if (missing !== undefined) {
    throw invalid(`body.scopes: the agent '${agent.fullname}' does not have the scope '${missing}'.`, {
      field: 'scopes'
    })
  }
  return agent.id
}

async function createAgent(ctx: Ctx, trx: Trx, principal: Principal, fullname: string, scopes: readonly string[]) {
  assertAdmin(principal)
  return ctx.use.agents.create(principal, trx, {
    fullname,
    scopes: ctx.use.access.scopes().filter(({ name }) => scopes.includes(name))
  })
}
