import { contract, point, type Caller } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'

/** A workspace with a sample board, the workspace from which it was created, and its administrator. */
export interface SampleBoard {
  sampleWorkspaceId: Id
  madeFromId: Id
  adminId: Id
}
export interface DemoTables {
  sampleBoard: { workspaceId: Id } & SampleBoard
}
export const demo = contract<object, DemoTables>()('demo')

/** The records of the sample board so far, by the names in its lines. */
export interface DemoBoard {
  adminId: Id
  issues: ReadonlyMap<string, Id>
  accounts: ReadonlyMap<string, Id>
  now: Date
}
/** A plugin's additions to the sample board for which the import format has no place. */
export type DemoPart = (caller: Caller, trx: TransactionHandle, board: DemoBoard) => Promise<void>
export const demoParts = point<DemoPart>()(demo, 'parts')
