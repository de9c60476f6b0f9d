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
/** What a plugin adds to the sample board that the import format has no place for. */
export type DemoPart = (caller: Caller, trx: TransactionHandle, board: DemoBoard) => Promise<void>
export const demoParts = point<DemoPart>()(demo, 'parts')
