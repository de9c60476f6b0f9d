import type { Transaction } from 'kysely'
import { insertToken } from '../../core/accounts.ts'
import type { CoreTables } from '../../core/db/tables.ts'
import { definePlugin, type ContextOf } from '../../core/plugin.ts'
import { agents } from './contract.ts'
import { insertAgent } from './queries.ts'
import { agentRoutes } from './routes.ts'

export type Ctx = ContextOf<typeof agents>

export default definePlugin({
  contract: agents,
  summary: 'Agent accounts, their scopes and tokens',
  register: ({ now }) => ({
    create: insertAgent,
    mintToken: (trx, { workspaceId, ...token }) => insertToken(trx, workspaceId, token),
    async revokeToken(trx, workspaceId, tokenId) {
      await (trx as Transaction<CoreTables>)
        .updateTable('token')
        .set({ revokedAt: now() })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', tokenId)
        .where('revokedAt', 'is', null)
        .execute()
    }
  }),
  routes: agentRoutes
})
