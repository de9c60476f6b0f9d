import { contract, point, problem, type Principal } from '../../core/api/contract.ts'
import type { DatabaseHandle, Id } from '../../core/api/database/types.ts'

export const events = contract()('events')

/** Events after the cursor were removed. `oldest`: the oldest cursor that is still valid. */
export const cursorExpired = problem<{ oldest: string }>(410, 'CURSOR_EXPIRED')

/** Finds subjects of events by name: the log has only their ids. */
export interface SubjectLookup {
  /** The `subjectType` of events. */
  readonly type: string
  /** @param name such as a key @throws 404 */
  find(principal: Principal, db: DatabaseHandle, name: string): Promise<Id>
}
export const subjectLookups = point<SubjectLookup>()(events, 'subjectLookups')
