import { sql } from 'kysely'
import { newId, notDeletedIn } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import type { FileSubject, FileTexts } from '../../files/contract.ts'
import type { Db, Trx } from '../context.ts'

const columns = [
  ...(['id', 'teamId', 'name', 'title', 'descriptionMarkdown', 'labelIds', 'criteria'] as const),
  ...(['priority', 'createdAt', 'updatedAt'] as const)
] as const

export interface TemplateValues {
  name: string
  title: string | null
  descriptionMarkdown: string
  labelIds: Id[]
  criteria: string[]
  priority: number
}

/** The templates of the teams that are there, by name, without the labels that were removed. */
export const listTemplates = (db: Db, workspaceId: Id, { teamId, id }: { teamId?: Id; id?: Id } = {}) =>
  db
    .selectFrom('issueTemplate')
    .innerJoin('team', join =>
      join.onRef('team.id', '=', 'issueTemplate.teamId').on('team.workspaceId', '=', workspaceId)
    )
    .where('team.deletedAt', 'is', null)
    .where('issueTemplate.workspaceId', '=', workspaceId)
    .where('issueTemplate.deletedAt', 'is', null)
    .$if(teamId !== undefined, query => query.where('issueTemplate.teamId', '=', teamId!))
    .$if(id !== undefined, query => query.where('issueTemplate.id', '=', id!))
    .select(columns.map(column => `issueTemplate.${column}` as const))
    .select(['team.identifier', 'team.name as teamName'])
    // Raw: the array keeps its order.
    .select(
      sql<Id[]>`array(
        select of_template.id from unnest(issue_template.label_ids) with ordinality as of_template (id, n)
        join label on label.workspace_id = ${workspaceId} and label.id = of_template.id and label.deleted_at is null
        order by n)`.as('labelIds')
    )
    .orderBy(sql`lower(issue_template.name)`)
    .orderBy('team.identifier')
    .execute()
export type TemplateRow = Awaited<ReturnType<typeof listTemplates>>[number]

export const lockTemplate = (trx: Trx, workspaceId: Id, id: Id) =>
  trx
    .selectFrom('issueTemplate')
    .select(columns)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const insertTemplate = (
  trx: Trx,
  workspaceId: Id,
  values: TemplateValues & { id?: Id; teamId: Id; createdById: Id; createdAt: Date; updatedAt: Date }
) =>
  trx
    .insertInto('issueTemplate')
    .values({ workspaceId, id: newId(), ...values })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateTemplate = (
  trx: Trx,
  workspaceId: Id,
  id: Id,
  values: Partial<TemplateValues> & ({ updatedAt: Date } | { deletedAt: Date; deletedById: Id })
) =>
  trx
    .updateTable('issueTemplate')
    .set(values)
    .where(notDeletedIn(workspaceId))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()

/** A template of a team by its name, in any case. */
export const templateNamed = (db: Db, workspaceId: Id, teamId: Id, name: string) =>
  db
    .selectFrom('issueTemplate')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('teamId', '=', teamId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()

/** Those of these ids that are labels. */
export const labelsWithIds = (db: Db, workspaceId: Id, ids: readonly Id[]) =>
  db
    .selectFrom('label')
    .select('id')
    .where(notDeletedIn(workspaceId))
    .where('id', '=', sql<Id>`any(${ids}::uuid[])`)
    .execute()

/** Templates with their names. Raw: a part of other statements. */
export const namedTemplates: FileSubject['named'] = workspaceId => sql`
  select id, null::text as key, name as title from issue_template where ${notDeletedIn(workspaceId)}`

/** The texts of templates. Raw: a part of another statement. */
export const textsOfTemplates: FileTexts = workspaceId => sql`
  select 'issue_template' as type, id, description_markdown as markdown, deleted_at is not null as is_deleted
  from issue_template where workspace_id = ${workspaceId}`
