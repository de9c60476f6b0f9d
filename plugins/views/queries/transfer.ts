import { sql } from 'kysely'
import { iso } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { ExternalIdOf } from '../../transfer/contract.ts'

/** A UUID in quotes; any other text without quotes; a quote. Together they match all of a text. */
const IDS_AND_REST = '("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"|[^"]+|")'

/**
 * The filters of a view `v` with names instead of the ids of states, labels, teams, people and issues, which another
 * workspace does not have. Each text in quotes that is such an id is replaced; all else stays as it is.
 */
const filtersByName = (workspaceId: Id) => sql`(
  select string_agg(coalesce(to_json(named.name)::text, part.text), '' order by part.n)::json
  from (
    select token[1] as text, n,
      case when token[1] like '"________-____-____-____-____________"' then trim('"' from token[1])::uuid end as id
    from regexp_matches(v.filters::text, ${IDS_AND_REST}, 'gi') with ordinality as matched (token, n)) part
  left join lateral (
    select s.name from workflow_state s where s.workspace_id = ${workspaceId} and s.id = part.id
    union all
    select l.name from label l where l.workspace_id = ${workspaceId} and l.id = part.id
      and l.purged_at is null
    union all
    select t.identifier from team t where t.workspace_id = ${workspaceId} and t.id = part.id
    union all
    select coalesce(a.email, a.fullname) from account a where a.workspace_id = ${workspaceId} and a.id = part.id
    union all
    select t.identifier || '-' || i.number from issue i
    join team t on t.workspace_id = ${workspaceId} and t.id = i.team_id
    where i.workspace_id = ${workspaceId} and i.id = part.id
    limit 1) named on true)`

// Raw: the rows of an export become parts of a statement of `transfer`.
export const exportedViews = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select ${externalId('view', 'v.id')} as "externalId", v.name, v.icon,
    ${externalId('account', 'v.owner_id')} as owner, t.identifier as team, v.is_shared as "isShared",
    ${filtersByName(workspaceId)} as filters, v.order_by as "orderBy", v.group_by as "groupBy",
    v.sub_group_by as "subGroupBy", v.layout, v.properties, v.hidden_groups as "hiddenGroups",
    v.collapsed_groups as "collapsedGroups", v.closed_within_days as "closedWithinDays",
    ${iso('v.created_at')} as "createdAt", ${iso('v.updated_at')} as "updatedAt"
  from saved_view v left join team t on t.workspace_id = v.workspace_id and t.id = v.team_id
  where v.workspace_id = ${workspaceId} order by lower(v.name), v.created_at, 1`
