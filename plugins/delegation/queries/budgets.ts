import { sql } from 'kysely'
import type { DatabaseHandle, Id } from '../../../core/api/database/types.ts'
import type { Db } from '../context.ts'
import { isActive } from './runs.ts'

export async function budgetOfIssue(db: DatabaseHandle, workspaceId: Id, issueId: Id): Promise<number | null> {
  // Raw: this plugin's column of a table of another one.
  const { rows } = await sql<{ budgetUsd: number | null }>`
    select budget_usd from issue where workspace_id = ${workspaceId} and id = ${issueId}`.execute(db)
  return rows[0]?.budgetUsd ?? null
}

export async function activeRunOf(db: Db, workspaceId: Id, issueId: Id): Promise<Id | undefined> {
  const run = await db
    .selectFrom('agentRun')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('issueId', '=', issueId)
    .where(isActive('status'))
    .executeTakeFirst()
  return run?.id
}

export async function hasNote(db: Db, workspaceId: Id, runId: Id, text: string): Promise<boolean> {
  const note = await db
    .selectFrom('agentRunEvent')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('runId', '=', runId)
    .where('type', '=', 'status')
    .where('text', '=', text)
    .executeTakeFirst()
  return note !== undefined
}
