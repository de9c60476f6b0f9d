import type { Id, Scope, TransactionHandle } from '../../core/db/tables.ts'
import { contract } from '../../core/plugin.ts'

export interface AgentsServices {
  /** Makes an agent account (without a token) inside a transaction, for a plugin that acts on its own. */
  create(
    trx: TransactionHandle,
    agent: { workspaceId: Id; fullname: string; scopes: Scope[]; createdById: Id }
  ): Promise<Id>
  /** Mints a token; what is returned is the only time that it can be read. */
  mintToken(
    trx: TransactionHandle,
    token: { workspaceId: Id; accountId: Id; name: string; expiresAt?: Date }
  ): Promise<{ id: Id; token: string }>
  revokeToken(trx: TransactionHandle, workspaceId: Id, tokenId: Id): Promise<void>
}
export const agents = contract<AgentsServices>()('agents')
