export { newId, NIL_ID } from '../../db/id.ts'
export { distributeBeforeReferences } from '../../db/distributed.ts'
export {
  columnsOf,
  databaseTime,
  hasRow,
  isId,
  iso,
  jsonArray,
  jsonObject,
  jsonRow,
  jsonRows,
  snakeCase,
  withFields
} from '../../db/sql.ts'
export { boundedList } from '../../db/statements/bounded-list.ts'
export {
  allRows,
  boundedRows,
  firstRows,
  groupsOf,
  MAX_STATEMENT_BYTES,
  readBounded,
  readLong,
  type FirstRows,
  type ItemsText,
  type RowsOf,
  type SizedId
} from '../../db/statements/bounded-rows.ts'
export { restorableRows, type DeletedRows } from '../../db/statements/deleted-rows.ts'
export { insertGroups } from '../../db/statements/insert-groups.ts'
export { mayBeNamed } from '../../db/statements/named.ts'
export { removeRows } from '../../db/statements/remove-rows.ts'
export { asShortRead, readInWorkspace, statement, statementPart } from '../../db/statements/statement.ts'
export { writeTogether } from '../../db/transactions/write-together.ts'
export { keepStatistics, vacuum } from '../../db/statistics.ts'
export { runOutsideRequests } from '../../db/transactions/request-transaction.ts'
export { Turns } from '../../db/transactions/turns.ts'
export { notDeletedIn } from '../../db/workspace-rows.ts'
export { findWorkspace, listWorkspaces, workspacesById } from '../../db/workspaces.ts'
export { positionOf } from '../../events/read.ts'
