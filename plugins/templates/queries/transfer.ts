import { sql } from 'kysely'
import { iso, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { ExternalIdOf } from '../../transfer/contract.ts'
import { ofTeams } from './templates.ts'

// Raw: the rows of an export become parts of a statement of `transfer`.
export const exportedTemplates = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select ${externalId('issue_template', 'e.id')} as "externalId", t.identifier as team, e.name, e.title,
    nullif(e.description_markdown, '') as "descriptionMarkdown",
    array(select l.name from label l
      where ${notDeletedIn(workspaceId, 'l')} and l.id = any(e.label_ids) order by lower(l.name)) as labels,
    e.criteria, nullif(e.priority, 0) as priority, ${externalId('account', 'e.created_by_id')} as "createdBy",
    ${iso('e.created_at')} as "createdAt", ${iso('e.updated_at')} as "updatedAt"
  from ${ofTeams(workspaceId)} order by t.identifier, lower(e.name)`
