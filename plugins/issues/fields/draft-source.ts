import type { TSchema } from 'typebox'
import type { AccountOfCaller } from '../../../core/api/contract.ts'
import type { DatabaseHandle, Id } from '../../../core/api/database/types.ts'

/** Values of a template: a new issue has them where its body leaves them out. */
export interface DraftValues {
  teamId: Id
  title: string | null
  descriptionMarkdown: string
  priority: number
  labelIds: readonly Id[]
  criteria: readonly string[]
}
export interface DraftRef {
  ref: string
  /** The team that the body names, or that of the parent; undefined: it names none. */
  teamId: Id | undefined
  field: string
}
/** A field of the body of a new issue, and an argument of `create_task`, that names where it takes values from. */
export interface DraftSource {
  readonly name: string
  readonly schema: TSchema
  readonly argument: string
  /**
   * @returns the values of each reference, in order
   * @throws 400 when there is nothing of that name, or several
   */
  fill(caller: AccountOfCaller, db: DatabaseHandle, refs: readonly DraftRef[]): Promise<readonly DraftValues[]>
}
