import { accountCreated, AccountNames, insertToken, revokeToken } from '../../core/api/accounts.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { insertAgent } from './queries.ts'
import { agentRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Agent accounts, their scopes and tokens',
  services: ({ emit, now }) => ({
    async create(caller, trx, { fullname, scopes }) {
      const { workspaceId, accountId } = caller
      const names = await AccountNames.lock(trx, workspaceId)
      const agent = { fullname: names.free(fullname, { isAdmin: false }), scopes: scopes.map(({ name }) => name) }
      const id = await insertAgent(trx, { workspaceId, ...agent, createdById: accountId })
      await emit(trx, accountCreated, caller, [{ subjectId: id, data: { kind: 'AGENT', fullname: agent.fullname } }])
      return id
    },
    mintToken: ({ workspaceId }, trx, token) => insertToken(trx, workspaceId, token),
    revokeToken: ({ workspaceId }, trx, tokenId) => revokeToken(trx, workspaceId, tokenId, now())
  }),
  register: ctx => ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) }),
  routes: agentRoutes
})
