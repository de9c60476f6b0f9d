import type { Actor, Caller } from '../../../core/api/contract.ts'
import type { TransactionHandle } from '../../../core/api/database/types.ts'
import type { Ctx } from '../context.ts'
import { commentChanges, commentEdits, type CommentChange, type CommentEdit } from '../contract.ts'

export async function handleChange(
  { contributions }: Ctx,
  caller: Caller,
  trx: TransactionHandle,
  change: CommentChange
): Promise<void> {
  for (const { item: handle } of contributions(commentChanges)) await handle(caller, trx, change)
}

export async function handleEdit(
  { contributions }: Ctx,
  caller: Actor,
  trx: TransactionHandle,
  edit: CommentEdit
): Promise<void> {
  for (const { item: handle } of contributions(commentEdits)) await handle(caller, trx, edit)
}
