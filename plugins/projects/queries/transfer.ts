import { sql, type Insertable } from 'kysely'
import { iso, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { unlikeMarkdown } from '../../../core/api/text.ts'
import type { ExternalIdOf } from '../../transfer/contract.ts'
import type { Trx } from '../context.ts'
import type { ProjectsTables } from '../contract.ts'

/* Raw: the rows of an export become parts of a statement of `transfer`. */

type New<T extends keyof ProjectsTables> = Omit<Insertable<ProjectsTables[T]>, 'workspaceId'>

export const exportedProjects = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select ${externalId('project', 'p.id')} as "externalId", p.name, p.description_markdown as "descriptionMarkdown",
    ${unlikeMarkdown('p.description', 'p.description_markdown')} as description, t.identifier as team,
    case when p.state <> 'PLANNED' then p.state end as state, ${externalId('account', 'p.lead_id')} as lead,
    array(select ${externalId('account', 'm.id')} from unnest(p.member_ids) as m(id)) as members,
    p.starts_on as "startsOn", p.target_on as "targetOn",
    ${externalId('account', 'p.created_by_id')} as "createdBy",
    ${iso('p.created_at')} as "createdAt", ${iso('p.updated_at')} as "updatedAt"
  from project p left join team t on t.workspace_id = p.workspace_id and t.id = p.team_id
  where ${notDeletedIn(workspaceId, 'p')} order by lower(p.name)`

export const exportedCycles = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select ${externalId('cycle', 'c.id')} as "externalId", t.identifier as team, c.name,
    ${iso('c.starts_at')} as "startsAt", ${iso('c.ends_at')} as "endsAt",
    ${iso('c.closed_at')} as "closedAt", c.carry_over as "carryOver", nullif(c.is_repeated, false) as "isRepeated",
    ${iso('c.created_at')} as "createdAt"
  from cycle c join team t on t.workspace_id = c.workspace_id and t.id = c.team_id
  where ${notDeletedIn(workspaceId, 'c')} order by t.identifier, c.starts_at, c.name, 1`

export const exportedRules = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select t.identifier as team, r.weeks, r.start_day as "startDay", r.carry_over as "carryOver",
    ${externalId('account', 'r.set_by_id')} as "setBy", ${iso('r.set_at')} as "setAt"
  from cycle_rule r join team t on t.workspace_id = r.workspace_id and t.id = r.team_id and t.deleted_at is null
  where r.workspace_id = ${workspaceId} order by t.identifier`

/** In any case. */
export const findProjectNamed = (trx: Trx, workspaceId: Id, name: string) =>
  trx
    .selectFrom('project')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()

export const addProject = (trx: Trx, workspaceId: Id, project: New<'project'>) =>
  trx
    .insertInto('project')
    .values({ workspaceId, ...project })
    .execute()

export const addCycle = (trx: Trx, workspaceId: Id, cycle: New<'cycle'>) =>
  trx
    .insertInto('cycle')
    .values({ workspaceId, ...cycle })
    .execute()

export const exportedMilestones = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select ${externalId('milestone', 'm.id')} as "externalId", ${externalId('project', 'm.project_id')} as project,
    m.name, m.date, ${iso('m.created_at')} as "createdAt"
  from milestone m join project p on p.workspace_id = m.workspace_id and p.id = m.project_id and p.deleted_at is null
  where ${notDeletedIn(workspaceId, 'm')} order by lower(p.name), lower(m.name)`

export const exportedUpdates = (workspaceId: Id, externalId: ExternalIdOf) => sql<object>`
  select ${externalId('project_update', 'u.id')} as "externalId", ${externalId('project', 'u.project_id')} as project,
    u.health, u.body_markdown as "bodyMarkdown", ${externalId('account', 'u.created_by_id')} as "createdBy",
    ${iso('u.created_at')} as "createdAt", ${iso('u.updated_at')} as "updatedAt"
  from project_update u join project p on p.workspace_id = u.workspace_id and p.id = u.project_id
  where u.workspace_id = ${workspaceId} and p.deleted_at is null order by lower(p.name), u.created_at, u.body_markdown`

export const milestonesOf = (trx: Trx, workspaceId: Id, projectId: Id) =>
  trx
    .selectFrom('milestone')
    .select(['id', 'name'])
    .where(notDeletedIn(workspaceId))
    .where('projectId', '=', projectId)
    .execute()
