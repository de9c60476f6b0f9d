import { sql } from 'kysely'
import { Type } from 'typebox'
import { existing } from '../../core/db/existing.ts'
import { iso } from '../../core/db/sql.ts'
import { Nullable } from '../../core/schemas.ts'
import { ExternalId, Person, recordKind, When } from '../transfer/contract.ts'
import { KINDS, knowledgeCreated } from './contract.ts'
import type { Ctx, Trx } from './context.ts'

/** What was learnt; an entry stands before the one that supersedes it. */
export const knowledgeRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'knowledge',
    summary: 'An entry of the knowledge bank: one fact.',
    table: 'knowledge_entry',
    fields: {
      externalId: ExternalId,
      type: Type.Optional(Type.Enum([...KINDS])),
      content: Type.String({ minLength: 1, maxLength: 2000 }),
      tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })),
      team: Type.Optional(Type.String({ maxLength: 20, description: 'Its identifier.' })),
      project: Type.Optional(ExternalId),
      issue: Type.Optional(ExternalId),
      supersedes: Type.Optional(Type.String({ ...ExternalId, description: 'An entry that stands before it.' })),
      status: Type.Optional(Type.Enum(['ACTIVE', 'SUPERSEDED', 'DISPUTED'])),
      createdBy: Type.Optional(Person),
      createdAt: Type.Optional(When),
      expiresAt: Type.Optional(Nullable(When))
    },
    rows: (workspaceId, externalId) => sql`
    select ${externalId('knowledge', 'e.id')} as "externalId", e.kind as type, e.content, to_json(e.tags) as tags,
      t.identifier as team,
      ${externalId('project', 'e.project_id')} as project, ${externalId('issue', 'e.issue_id')} as issue,
      ${externalId('knowledge', 's.id')} as supersedes, e.status,
      ${externalId('account', 'e.created_by_id')} as "createdBy",
      ${iso('e.created_at')} as "createdAt", ${iso('e.expires_at')} as "expiresAt"
    from knowledge_entry e
    left join team t on t.workspace_id = e.workspace_id and t.id = e.team_id
    left join knowledge_entry s on s.workspace_id = e.workspace_id and s.id = e.supersedes_id and s.deleted_at is null
    where ${existing(workspaceId, 'e')} order by e.created_at, 1`,
    async add({ trx, caller, workspaceId, actorId, now, items, find, people, skip }) {
      const db: Trx = trx
      const names = {
        project: await find(
          'project',
          items.map(({ record }) => record.project)
        ),
        issue: await find(
          'issue',
          items.map(({ record }) => record.issue)
        ),
        supersedes: await find(
          'knowledge',
          items.map(({ record }) => record.supersedes)
        )
      }
      const teams = new Map(
        (await db.selectFrom('team').select(['id', 'identifier']).where(existing(workspaceId)).execute()).map(row => [
          row.identifier.toUpperCase(),
          row.id
        ])
      )
      const accounts = await people(items.map(({ record }) => record.createdBy))
      // Not added yet, or skipped.
      const yet = new Set(items.map(item => item.id))
      for (const item of items) {
        const { id, record } = item
        const { type = 'FACT', content, tags = [], team, status = 'ACTIVE', createdBy, createdAt, expiresAt } = record
        const lost = (['project', 'issue', 'supersedes'] as const).find(
          field =>
            record[field] !== undefined &&
            (!names[field].has(record[field]) || yet.has(names[field].get(record[field])!))
        )
        if (lost) {
          skip(item, `there is nothing here called '${record[lost]}', its ${lost}`)
          continue
        }
        const teamId = team === undefined ? null : teams.get(team.toUpperCase())
        if (teamId === undefined) {
          skip(item, `there is no team '${team}'`)
          continue
        }
        await db
          .insertInto('knowledgeEntry')
          .values({
            workspaceId,
            id,
            content,
            kind: type,
            tags,
            teamId,
            status,
            projectId: names.project.get(record.project ?? '') ?? null,
            issueId: names.issue.get(record.issue ?? '') ?? null,
            supersedesId: names.supersedes.get(record.supersedes ?? '') ?? null,
            createdById: accounts.get(createdBy ?? '') ?? actorId,
            createdAt: new Date(createdAt ?? now),
            expiresAt: expiresAt == null ? null : new Date(expiresAt)
          })
          .execute()
        yet.delete(id)
        const supersedesId = names.supersedes.get(record.supersedes ?? '') ?? null
        await ctx.emit(trx, knowledgeCreated, caller, [{ subjectId: id, data: { kind: type, supersedesId } }])
      }
    }
  })
