import { Type } from 'typebox'
import type { Caller } from '../../core/api/contract.ts'
import type { Id } from '../../core/api/database/types.ts'
import { ApiError } from '../../core/api/errors.ts'
import { Line } from '../../core/api/schemas.ts'
import { ExternalId, Person, recordKind, TeamName, UNKNOWN_PERSON, When } from '../transfer/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { templateNamed } from './queries/templates.ts'
import { exportedTemplates } from './queries/transfer.ts'
import { criteria, name, priority, title } from './schemas.ts'
import { assertRoom, assertStorable, storeTemplate } from './templates.ts'

export const templateRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'issue_template',
    summary: 'A template for issues. One with the same name in its team is matched with it.',
    table: 'issue_template',
    before: ['file'],
    fields: {
      externalId: ExternalId,
      team: TeamName,
      name,
      title: Type.Optional(title),
      descriptionMarkdown: Type.Optional(Type.String()),
      labels: Type.Optional(Type.Array(Line(100), { maxItems: 100, description: 'Their names.' })),
      criteria: Type.Optional(criteria),
      priority: Type.Optional(priority),
      createdBy: Type.Optional(Person),
      createdAt: Type.Optional(When),
      updatedAt: Type.Optional(When)
    },
    rows: exportedTemplates,
    async add({ trx, caller, workspaceId, now, items, people, isThere, skip }) {
      const db: Trx = trx
      const teams = await ctx.use.workspace.teamIds(caller, trx)
      for (const item of items) {
        const { team, name, labels = [], createdBy = UNKNOWN_PERSON, createdAt } = item.record
        const { title = null, descriptionMarkdown = '', criteria = [], priority = 0, updatedAt } = item.record
        const teamId = teams.get(team.toUpperCase())
        if (teamId === undefined) {
          skip(item, `there is no team '${team}'`)
          continue
        }
        const same = await templateNamed(db, workspaceId, teamId, name)
        if (same) {
          isThere(item, same.id)
          continue
        }
        const problem = await problemOf(ctx, db, caller, teamId, descriptionMarkdown)
        if (problem !== undefined) {
          skip(item, problem)
          continue
        }
        const created = new Date(createdAt ?? now)
        await storeTemplate(ctx, db, caller, {
          ...{ workspaceId, id: item.id, teamId, name, title, descriptionMarkdown, criteria, priority },
          labelIds: [...(await ctx.use.workspace.labelsNamed(caller, trx, labels, now)).values()],
          createdById: (await people([createdBy])).get(createdBy)!,
          createdAt: created,
          updatedAt: new Date(updatedAt ?? created)
        })
      }
    }
  })

async function problemOf(
  ctx: Ctx,
  trx: Trx,
  caller: Caller,
  teamId: Id,
  markdown: string
): Promise<string | undefined> {
  try {
    await assertStorable({ descriptionMarkdown: markdown })
    await assertRoom(ctx, trx, caller, teamId)
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
