import type { Caller } from '../../core/contract.ts'
import type { TransactionHandle } from '../../core/db/tables.ts'
import type { Ctx } from './context.ts'
import { commentChanges, type CommentChange } from './contract.ts'

/** Lets the plugins that want to take part in a change of comments do so, in its transaction. */
export async function handleChange(
  { contributions }: Ctx,
  caller: Caller,
  trx: TransactionHandle,
  change: CommentChange
): Promise<void> {
  for (const { item: handle } of contributions(commentChanges)) await handle(caller, trx, change)
}
