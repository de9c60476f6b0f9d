import { expressionBuilder, sql, type RawBuilder } from 'kysely'
import type { Id } from '../api/database/types.ts'

/**
 * The workspace of a statement: its id, or the parameter of one that is compiled once. Every subquery is bounded by it,
 * not by the `workspace_id` of a row around it: a distributed engine sends a statement to the one node that has the
 * workspace only when each subquery says by itself which one that is.
 */
export type WorkspaceId = Id | RawBuilder<Id>

/** A table of a workspace's data whose rows are marked when they are removed. */
interface Table {
  row: { workspaceId: Id; deletedAt: Date | null }
}
const { and, eb } = expressionBuilder<Table, 'row'>()

/**
 * The condition that a row is the workspace's and was not removed.
 * @param row its name in a statement of several tables
 */
export const notDeletedIn = (workspaceId: WorkspaceId, row?: string) =>
  row === undefined
    ? and([eb('workspaceId', '=', workspaceId), eb('deletedAt', 'is', null)])
    : and([
        eb(sql.ref<Id>(`${row}.workspaceId`), '=', workspaceId),
        eb(sql.ref<Date | null>(`${row}.deletedAt`), 'is', null)
      ])
