import { expressionBuilder, sql } from 'kysely'
import type { Id, WorkspaceId } from '../api/database/types.ts'

interface Table {
  row: { workspaceId: Id; deletedAt: Date | null }
}
const { and, eb } = expressionBuilder<Table, 'row'>()

/** @param row its alias in a statement of several tables */
export const notDeletedIn = (workspaceId: WorkspaceId, row?: string) =>
  row === undefined
    ? and([eb('workspaceId', '=', workspaceId), eb('deletedAt', 'is', null)])
    : and([
        eb(sql.ref<Id>(`${row}.workspaceId`), '=', workspaceId),
        eb(sql.ref<Date | null>(`${row}.deletedAt`), 'is', null)
      ])
