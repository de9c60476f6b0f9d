import type { TSchema } from 'typebox'
import type { AccountOfCaller } from '../../../core/api/contract.ts'
import type { DatabaseHandle, Id } from '../../../core/api/database/types.ts'

/** What a new issue has beside what its body says. */
export interface DraftValues {
  teamId: Id
  /** Null: none. */
  title: string | null
  /** Empty: none. */
  descriptionMarkdown: string
  priority: number
  labelIds: readonly Id[]
  criteria: readonly string[]
}
/** A field of the body of a new issue, and an argument of `create_task`, that names where it takes values from. */
export interface DraftSource {
  readonly name: string
  /** A text. */
  readonly schema: TSchema
  /** The description of the argument. */
  readonly argument: string
  /**
   * @param draft.ref what the body names
   * @param draft.team as the body names it, or that of the parent; undefined: it names none
   * @param draft.field for errors
   * @throws 400 when there is nothing of that name, or too much
   */
  fill(
    caller: AccountOfCaller,
    db: DatabaseHandle,
    draft: { ref: string; team: string | undefined; field: string }
  ): Promise<DraftValues>
}
