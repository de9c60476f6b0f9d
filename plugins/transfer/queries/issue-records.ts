import { sql } from 'kysely'
import { iso, snakeCase } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { Trx } from '../context.ts'
import type { ExternalIdOf } from '../contract.ts'

/** Raw: a part of the statement that reads all kinds of records. */
export const exportedIssueRecords = (
  kind: string,
  table: string,
  fields: readonly string[],
  workspaceId: Id,
  externalId: ExternalIdOf
) => sql<object>`
  select ${externalId(kind, 'r.id')} as "externalId", ${externalId('issue', 'r.issue_id')} as issue,
    ${externalId('account', 'r.created_by_id')} as "createdBy", ${iso('r.created_at')} as "createdAt",
    ${sql.join(fields.map(field => sql`${sql.ref(`r.${snakeCase(field)}`)} as ${sql.raw(`"${field}"`)}`))}
  from ${sql.table(table)} r
  join issue i on i.workspace_id = r.workspace_id and i.id = r.issue_id and i.deleted_at is null
  where r.workspace_id = ${workspaceId} order by r.created_at, 1`

/** Raw: the table and its columns are names of the plugin that contributes the records. */
export const insertIssueRecord = (trx: Trx, table: string, row: Readonly<Record<string, unknown>>) =>
  sql`
  insert into ${sql.table(table)} (${sql.join(Object.keys(row).map(name => sql.ref(snakeCase(name))))})
  values (${sql.join(Object.values(row))})`.execute(trx)
