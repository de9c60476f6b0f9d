import { insertToken, revokeToken } from '../../core/accounts.ts'
import { definePlugin } from '../../core/plugin.ts'
import { uiParts } from '../ui/contract.ts'
import { dependencies } from './context.ts'
import { insertAgent } from './queries.ts'
import { agentRoutes } from './routes.ts'

export default definePlugin(dependencies, {
  summary: 'Agent accounts, their scopes and tokens',
  services: ({ now }) => ({
    create: ({ workspaceId, accountId }, trx, { fullname, scopes }) =>
      insertAgent(trx, {
        workspaceId,
        fullname,
        scopes: scopes.map(({ name }) => name),
        createdById: accountId
      }),
    mintToken: ({ workspaceId }, trx, token) => insertToken(trx, workspaceId, token),
    revokeToken: ({ workspaceId }, trx, tokenId) => revokeToken(trx, workspaceId, tokenId, now())
  }),
  register: ctx => ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) }),
  routes: agentRoutes
})
