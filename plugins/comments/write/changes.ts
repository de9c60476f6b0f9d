import type { Caller } from '../../../core/api/contract.ts'
import type { TransactionHandle } from '../../../core/api/database/types.ts'
import type { Ctx } from '../context.ts'
import { commentChanges, type CommentChange } from '../contract.ts'

/** Calls the other plugins' handlers, in the transaction of the change. */
export async function handleChange(
  { contributions }: Ctx,
  caller: Caller,
  trx: TransactionHandle,
  change: CommentChange
): Promise<void> {
  for (const { item: handle } of contributions(commentChanges)) await handle(caller, trx, change)
}
