import type { RawBuilder } from 'kysely'
import type { Actor, Caller } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'
import type { CriterionItem, TickedItems } from './criteria/criteria.ts'

/** A new description of a locked issue, or ticks. */
export interface DescriptionChange extends TickedItems {
  metBefore: number
  /** True if more than ticks changes. */
  isRewritten: boolean
  /** True if the text changes, if only by ticks; false if there is only evidence. */
  isNewText: boolean
}

export interface OtherHolder {
  id: Id
  fullname: string
  session?: string
}

/** The account that works on an issue, from a plugin that stores more about it than the assignee. */
export interface ActiveHolder {
  id: Id
  fullname: string
  /** For errors: with its session. */
  name: string
  since: string
  isCaller: boolean
  /** Anybody may take the issue. */
  hasLapsed: boolean
}

export const heldByOther = (
  key: string,
  { id, fullname, name, since }: Pick<ActiveHolder, 'id' | 'fullname' | 'name'> & { since: string | null }
): [string, object] => [
  `${key} is held by ${name}${since ? ` since ${since}` : ''}: choose another one, or pick it up with ` +
    'takeover: true, which takes it from them.',
  { holder: { id, fullname }, since }
]

export interface PendingChange {
  /** JSON over the row `issue` as it is written (its ids, rev, completed_at and deleted_at), for `after`. */
  readonly returned: RawBuilder<unknown>
  /**
   * Called after the change and its consequences were written.
   * @param written absent: nothing had to be written
   * @returns who else works on the issue, or did when the change began
   */
  after(written: { key: string; returned: unknown } | undefined): Promise<OtherHolder | undefined>
}

/** Takes part in changes of issues, after they are locked, in their transactions: what it throws undoes the change. */
export interface IssueChanges {
  filed?(
    caller: Actor,
    trx: TransactionHandle,
    issues: ReadonlyArray<{ issueId: Id; teamId: Id; items: readonly CriterionItem[] }>
  ): Promise<void>
  /**
   * Before an issue changes.
   * @param how.isPart something that belongs to it changes, which `writePart` has seen: nothing is to be refused
   * @param how.takeover it may be taken from somebody who works on it
   */
  change?(
    caller: Actor,
    trx: TransactionHandle,
    issueId: Id,
    how: { isPickUp: boolean; isPart: boolean; takeover: boolean }
  ): Promise<PendingChange>
  /**
   * Before something is written that belongs to an issue, such as a comment or a link.
   * @param how.isChange the issue gets a new revision for it: `change` follows
   */
  writePart?(caller: Actor, trx: TransactionHandle, issueId: Id, how: { isChange: boolean }): Promise<void>
  /** After issues were filed as begun, imported, removed or restored, or the category of their state was changed. */
  moved?(caller: Caller, trx: TransactionHandle, issueIds: readonly Id[]): Promise<void>
  /** After deleted issues were removed for good, except their rows: removes the records that belong to them. */
  purged?(caller: Caller, trx: TransactionHandle, issueIds: readonly Id[]): Promise<void>
  holderOf?(caller: Actor, trx: TransactionHandle, issueId: Id): Promise<ActiveHolder | undefined>
  /** @returns a function to call after the new description was written */
  describe?(
    caller: Actor,
    trx: TransactionHandle,
    issueId: Id,
    change: DescriptionChange,
    readFormer: () => Promise<string>
  ): Promise<(() => Promise<void>) | undefined>
  /**
   * After issues were completed.
   * @param at only those that were completed then; null: all of them that are completed
   * @returns the checks that the override has skipped, for the history
   */
  complete?(
    caller: Actor,
    trx: TransactionHandle,
    issueIds: readonly Id[],
    options: { at: Date | null; override: boolean }
  ): Promise<string | undefined>
  /** Before an issue moves to another team. @returns true if the other team has stricter rules for completed issues */
  move?(caller: Actor, trx: TransactionHandle, issue: { key: string; teamId: Id }, teamId: Id): Promise<boolean>
  whyNotCompleted?(caller: Caller, trx: TransactionHandle, issueId: Id): Promise<string | undefined>
  /** Ticks may have evidence. */
  readonly takesEvidence?: true
  /** Changes answer `holder`, and take `takeover`. */
  readonly keepsHolders?: true
}
