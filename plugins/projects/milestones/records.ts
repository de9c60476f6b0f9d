import { Type } from 'typebox'
import { Day } from '../../../core/api/schemas.ts'
import { ExternalId, recordKind, When } from '../../transfer/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { milestoneCreated } from '../contract.ts'
import { insertMilestone } from '../queries/milestones.ts'
import { exportedMilestones, milestonesOf } from '../queries/transfer.ts'
import { NewMilestone } from '../schemas.ts'

export const milestoneRecords = (ctx: Ctx) =>
  recordKind({
    kind: 'milestone',
    summary: 'A step of a project. One with the same name in the project is matched with it.',
    table: 'milestone',
    before: ['issue'],
    fields: {
      externalId: ExternalId,
      project: ExternalId,
      name: NewMilestone.properties.name,
      date: Type.Optional(Day),
      createdAt: Type.Optional(When)
    },
    rows: exportedMilestones,
    async add({ trx, caller, workspaceId, now, items, find, isThere, skip }) {
      const db: Trx = trx
      const projects = await find(
        'project',
        items.map(({ record }) => record.project)
      )
      for (const item of items) {
        const { name, date = null, createdAt } = item.record
        const projectId = projects.get(item.record.project)
        if (projectId === undefined) {
          skip(item, `there is no project '${item.record.project}'`)
          continue
        }
        const present = await milestonesOf(db, workspaceId, projectId)
        const same = present.find(each => each.name.toLowerCase() === name.toLowerCase())
        if (same) {
          isThere(item, same.id)
          continue
        }
        const milestone = { id: item.id, projectId, name, date, createdAt: new Date(createdAt ?? now) }
        await insertMilestone(db, workspaceId, milestone)
        await ctx.emit(trx, milestoneCreated, caller, [{ subjectId: item.id, data: { name, projectId } }])
      }
    }
  })
