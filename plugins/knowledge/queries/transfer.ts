import { sql, type Insertable } from 'kysely'
import { iso, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { ExternalIdOf } from '../../transfer/contract.ts'
import type { Trx } from '../context.ts'
import type { KnowledgeTables } from '../contract.ts'

/**
 * Entries as lines of an export, each after those that it supersedes; not by time, because the clocks of two servers
 * differ. Raw: a part of a statement of the plugin `transfer`.
 */
export const exportedEntries = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  with recursive chain (id, depth) as (
    select e.id, 0 from knowledge_entry e
    where ${notDeletedIn(workspaceId, 'e')} and not exists (
      select 1 from knowledge_entry s where ${notDeletedIn(workspaceId, 's')} and s.id = e.supersedes_id)
    union all
    select e.id, chain.depth + 1 from chain join knowledge_entry e on e.supersedes_id = chain.id
    where ${notDeletedIn(workspaceId, 'e')}
  )
  select ${externalId('knowledge', 'e.id')} as "externalId", e.kind as type, e.content, to_json(e.tags) as tags,
    t.identifier as team,
    ${externalId('project', 'e.project_id')} as project, ${externalId('issue', 'e.issue_id')} as issue,
    ${externalId('knowledge', 's.id')} as supersedes, e.status,
    ${externalId('account', 'e.created_by_id')} as "createdBy",
    ${iso('e.created_at')} as "createdAt", ${iso('e.expires_at')} as "expiresAt"
  from knowledge_entry e
  left join chain on chain.id = e.id
  left join team t on t.workspace_id = e.workspace_id and t.id = e.team_id
  left join knowledge_entry s on s.workspace_id = e.workspace_id and s.id = e.supersedes_id and s.deleted_at is null
  where ${notDeletedIn(workspaceId, 'e')} order by chain.depth, e.created_at, 1`

export const addEntry = (trx: Trx, entry: Insertable<KnowledgeTables['knowledgeEntry']>) =>
  trx.insertInto('knowledgeEntry').values(entry).execute()
