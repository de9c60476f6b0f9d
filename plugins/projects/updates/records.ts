import { Type } from 'typebox'
import { readStoredRichText } from '../../../core/api/text.ts'
import { ExternalId, Person, recordKind, UNKNOWN_PERSON, When } from '../../transfer/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { updatePosted } from '../contract.ts'
import { insertUpdate } from '../queries/updates.ts'
import { exportedUpdates } from '../queries/transfer.ts'
import { NewUpdate } from '../schemas.ts'

export const updateRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'project_update',
    summary: 'A short text on how a project stands.',
    table: 'project_update',
    fields: {
      externalId: ExternalId,
      project: ExternalId,
      health: NewUpdate.properties.health,
      bodyMarkdown: Type.String(),
      createdBy: Type.Optional(Person),
      createdAt: Type.Optional(When),
      updatedAt: Type.Optional(When)
    },
    rows: exportedUpdates,
    async add({ trx, caller, workspaceId, now, items, find, people, skip, noteCut }) {
      const db: Trx = trx
      const projects = await find(
        'project',
        items.map(({ record }) => record.project)
      )
      for (const item of items) {
        const { project, health, bodyMarkdown, createdBy = UNKNOWN_PERSON, createdAt, updatedAt } = item.record
        const projectId = projects.get(project)
        const text = await readStoredRichText(undefined, bodyMarkdown)
        if (projectId === undefined || typeof text === 'string') {
          skip(item, typeof text === 'string' ? text : `there is no project '${project}'`)
          continue
        }
        noteCut(item, text.cutCharacters)
        const created = new Date(createdAt ?? now)
        const accounts = await people([createdBy])
        await insertUpdate(db, workspaceId, {
          ...{ id: item.id, projectId, health, body: text.json, bodyMarkdown: text.markdown },
          ...{ createdById: accounts.get(createdBy)!, createdAt: created, updatedAt: new Date(updatedAt ?? created) }
        })
        await ctx.emit(trx, updatePosted, caller, [{ subjectId: item.id, data: { projectId, health } }])
      }
    }
  })
