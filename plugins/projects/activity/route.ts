import { Type } from 'typebox'
import { notFound } from '../../../core/api/errors.ts'
import { ChangesData } from '../../../core/api/events.ts'
import { cursorOf, placeOf } from '../../../core/api/http.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, IdText, Nullable, Time } from '../../../core/api/schemas.ts'
import type { Ctx } from '../context.ts'
import { projectActivity, type ActivityRow } from '../queries/activity.ts'
import { nameProjects } from '../queries/projects.ts'
import { params, tags } from '../schemas.ts'
import { HEALTHS } from '../states.ts'

const MAX_ENTRIES = 200

const Query = Closed({
  limit: Type.Integer({ default: 50, minimum: 1, maximum: MAX_ENTRIES }),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `nextCursor` of the page before.' }))
})
const Entry = Closed({
  at: Time,
  type: Type.String({
    description:
      'Of an event (docs/events.md) of the project, a milestone or an update; or `issue.created` (in the project), ' +
      '`issue.added`, `issue.removed`, `issue.completed`, `issue.canceled`.'
  }),
  actor: Nullable(Closed({ id: IdText, fullname: Type.String(), kind: Type.Enum(['PERSON', 'AGENT']) })),
  issue: Type.Optional(Closed({ id: IdText, key: Type.String(), title: Type.String() })),
  milestone: Type.Optional(Closed({ id: IdText, name: Type.String() })),
  health: Type.Optional(Type.Enum([...HEALTHS], { description: 'Of an update.' })),
  changes: Type.Optional(ChangesData.properties.changes),
  nextCursor: Type.Optional(
    Type.String({ description: 'Of the last entry, when there are earlier ones: sent as `cursor`, it lists those.' })
  )
})

export function activityRoute(app: App, ctx: Ctx): void {
  app.get(
    '/v1/projects/:id/activity',
    {
      schema: {
        tags,
        summary: 'What happened in a project, newest first',
        description:
          'Its changes, milestones and updates, as long as the event log keeps them, and the issues that came, went ' +
          'and were closed.',
        params,
        querystring: Query,
        response: answers(200, Type.Array(Entry))
      }
    },
    async ({ principal: { workspaceId }, params: { id }, query: { limit, cursor } }) => {
      const before = cursor === undefined ? undefined : placeOf(cursor)
      const [project] = await nameProjects(ctx.db, workspaceId, [id])
      if (!project) throw notFound('project', id)
      const rows = await projectActivity(ctx.db, workspaceId, project, { before, limit: limit + 1 })
      const page = rows.slice(0, limit)
      return page.map((row, n) => ({
        ...toJson(row),
        ...(rows.length > limit && n === limit - 1 && { nextCursor: cursorOf(row) })
      }))
    }
  )
}

function toJson({ at, type, actor, issue, milestone, data }: ActivityRow) {
  const { changes, health } = data ?? {}
  return {
    ...{ at: at.toISOString(), type, actor },
    ...(issue && { issue }),
    ...(milestone && { milestone }),
    ...(health && { health }),
    ...(changes && { changes })
  }
}
