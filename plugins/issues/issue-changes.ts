import type { Actor, Caller } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'
import type { CriterionItem, TickedItems } from './criteria/criteria.ts'

/** A description that is written to a locked issue, or criteria of it that are ticked. */
export interface DescriptionChange extends TickedItems {
  /** How many criteria were met before. */
  metBefore: number
  /** Whether more than ticks changes. */
  isRewritten: boolean
}
/**
 * Takes part in changes of issues, in their transactions: after the issues are locked, before their claims change. What
 * it throws undoes the change.
 */
export interface IssueChanges {
  /** Issues that were just filed. */
  filed(
    caller: Actor,
    trx: TransactionHandle,
    issues: ReadonlyArray<{ issueId: Id; teamId: Id; items: readonly CriterionItem[] }>
  ): Promise<void>
  /**
   * Before a description changes.
   * @param readFormer reads the markdown that is still stored
   * @returns what is called after the new one was written
   */
  describe(
    caller: Actor,
    trx: TransactionHandle,
    issueId: Id,
    change: DescriptionChange,
    readFormer: () => Promise<string>
  ): Promise<() => Promise<void>>
  /**
   * After issues were completed.
   * @param at only those that were completed then; null: all of them that are completed
   * @param override a person completes them whatever their team asks
   * @returns what the override has passed over, for the history
   */
  complete(
    caller: Actor,
    trx: TransactionHandle,
    issueIds: readonly Id[],
    options: { at: Date | null; override: boolean }
  ): Promise<string | undefined>
  /**
   * Before an issue moves to another team.
   * @returns whether the other team may not let it be completed, although this one has
   */
  move(caller: Actor, trx: TransactionHandle, issue: { key: string; teamId: Id }, teamId: Id): Promise<boolean>
  /** Why a locked issue cannot be completed now; undefined: it can. */
  whyNotCompleted(caller: Caller, trx: TransactionHandle, issueId: Id): Promise<string | undefined>
  /** Whether it keeps the evidence of criteria that are ticked. */
  readonly takesEvidence: boolean
}
