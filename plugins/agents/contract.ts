import { contract, type Caller, type Scope } from '../../core/api/contract.ts'
import type { Confinement, Id, TransactionHandle } from '../../core/api/database/types.ts'

export interface AgentsServices {
  /**
   * Creates an agent account (without a token) that the caller owns, for a plugin that acts by itself. If its name
   * looks like an existing one, it gets a number.
   */
  create(caller: Caller, trx: TransactionHandle, agent: { fullname: string; scopes: readonly Scope[] }): Promise<Id>
  /** The token cannot be read again. */
  mintToken(
    caller: Caller,
    trx: TransactionHandle,
    token: { accountId: Id; name: string; expiresAt?: Date; confinedTo?: Confinement }
  ): Promise<{ id: Id; token: string }>
  revokeToken(caller: Caller, trx: TransactionHandle, tokenId: Id): Promise<void>
}
export const agents = contract<AgentsServices>()('agents')
