import { Type } from 'typebox'
import { invalid } from '../../core/api/errors.ts'
import { cursorOf, placeOf } from '../../core/api/http.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, IdText, jsonOfRow, Nullable, Time } from '../../core/api/schemas.ts'
import { deleteScope } from '../../core/api/scopes.ts'
import { daysBefore } from '../../lib/util/days.ts'
import type { Ctx } from './context.ts'
import { trashKinds } from './contract.ts'
import { findStart, listDeleted } from './queries.ts'

const Item = Closed({
  kind: Type.String({ description: 'As in the path of its routes: `POST /v1/<kind>/<id>/restore` restores it.' }),
  kindTitle: Type.String({ description: 'The kind, for people: `Issue`.' }),
  id: IdText,
  key: Type.Optional(Type.String({ description: 'Of an issue, or of the issue that it belongs to.' })),
  title: Type.String({ description: 'Its title or name; of a text the beginning.' }),
  deletedAt: Time,
  deletedBy: Type.Optional(Closed({ id: IdText, fullname: Type.String() })),
  keptUntil: Type.String({ format: 'date-time', description: 'It is removed for good soon afterwards.' })
})

export function trashRoutes(app: App, ctx: Ctx): void {
  const kinds = ctx.contributions(trashKinds).map(({ item }) => item)
  const titles = new Map(kinds.map(({ name, title }) => [name, title]))
  const names = [...titles.keys()]

  app.get(
    '/v1/trash',
    {
      // It shows what was deleted: only to those who could have deleted it.
      config: { scope: deleteScope },
      schema: {
        tags: ['trash'],
        summary: 'What was deleted and can be restored, the last first',
        description:
          'Needs the scope `delete`. Comments and knowledge of others are listed for administrators and agents only.',
        querystring: Closed({
          kind: Type.Optional(Type.String({ maxLength: 64, description: `One of: ${names.join(', ')}.` })),
          limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
          cursor: Type.Optional(Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before.' }))
        }),
        response: answers(
          200,
          Closed({ items: Type.Array(Item), keepDays: Type.Integer(), nextCursor: Nullable(Type.String()) })
        )
      }
    },
    async ({ principal, query: { kind, limit, cursor } }) => {
      if (kind !== undefined && !names.includes(kind)) {
        throw invalid(`query.kind must be one of: ${names.join(', ')}.`, { field: 'kind' })
      }
      const listedKinds = kinds.filter(({ name }) => kind === undefined || name === kind)
      const after = cursor === undefined ? undefined : placeOf(cursor)
      const rows = await listDeleted(ctx.db, principal, listedKinds, { after, limit: limit + 1 })
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      const keepDays = ctx.settings.trashKeepDays
      const start = (await findStart(ctx.db, principal.workspaceId)) ?? new Date(0)
      return {
        items: page.map(({ deletedById: id, deletedBy: fullname, ...item }) =>
          jsonOfRow({
            ...item,
            kindTitle: titles.get(item.kind)!,
            deletedBy: id !== null && fullname !== null ? { id, fullname } : null,
            keptUntil: daysBefore(item.deletedAt > start ? item.deletedAt : start, -keepDays)
          })
        ),
        keepDays,
        nextCursor: last && rows.length > limit ? cursorOf({ at: last.deletedAt, id: last.id }) : null
      }
    }
  )
}
