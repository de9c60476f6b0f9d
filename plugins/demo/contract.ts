import { contract, point, type Caller } from '../../core/api/contract.ts'
import type { Id, TransactionHandle } from '../../core/api/database/types.ts'

export interface SampleBoard {
  sampleWorkspaceId: Id
  madeFromId: Id
  adminId: Id
}
export interface DemoTables {
  sampleBoard: { workspaceId: Id } & SampleBoard
}
export const demo = contract<object, DemoTables>()('demo')

export interface DemoBoard {
  adminId: Id
  issues: ReadonlyMap<string, Id>
  accounts: ReadonlyMap<string, Id>
  now: Date
}
/** A plugin's additions to the sample board for which the import format has no place. */
export type DemoPart = (caller: Caller, trx: TransactionHandle, board: DemoBoard) => Promise<void>
export const demoParts = point<DemoPart>()(demo, 'parts')
