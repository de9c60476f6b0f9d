import { Type } from 'typebox'
import { isId } from '../../../core/api/database/queries.ts'
import { invalid } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, IdText, jsonOfRow, Nullable } from '../../../core/api/schemas.ts'
import { assertAdmin } from '../../../core/api/scopes.ts'
import type { Ctx } from '../context.ts'
import { listAllFiles, type FilesOrder, type ListPosition } from '../queries/administration.ts'
import { nameSubjects, subjectKey } from '../queries/subjects.ts'
import { usedBytes } from '../queries/usage.ts'
import { StoredFile, tags } from '../schemas.ts'
import { shown } from '../shown.ts'
import { subjectKinds } from '../subjects.ts'

const ListedFile = Closed({
  ...StoredFile.properties,
  subject: Type.Optional(
    Closed(
      {
        type: Type.String({ description: '`issue`, `project`, `knowledge`, `issue_template`, `account`.' }),
        id: IdText,
        key: Type.Optional(Type.String({ description: 'Of an issue.' })),
        title: Type.Optional(Type.String({ description: 'Its title or name; absent when it is deleted.' }))
      },
      { description: 'What the file belongs to; absent when no text has named it yet.' }
    )
  )
})

export function administrationRoutes(app: App, ctx: Ctx): void {
  app.get(
    '/v1/files',
    {
      schema: {
        tags,
        summary: 'All files of the workspace, with what they belong to',
        description: 'Administrators only.',
        querystring: Closed({
          order: Type.Enum(['created', 'bytes'], {
            default: 'created',
            description: 'The newest or the largest first.'
          }),
          limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
          cursor: Type.Optional(Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before.' }))
        }),
        response: answers(
          200,
          Closed({
            files: Type.Array(ListedFile),
            usage: Closed({
              bytes: Type.Integer({ description: 'Of all files.' }),
              maxBytes: Type.Integer({ description: '`plugins.files.maxBytesPerWorkspace`.' })
            }),
            nextCursor: Nullable(Type.String())
          })
        )
      }
    },
    async ({ principal, query: { order, limit, cursor } }) => {
      assertAdmin(principal)
      const { workspaceId } = principal
      const after = cursor === undefined ? undefined : positionIn(cursor, order)
      const rows = await listAllFiles(ctx.db, workspaceId, order, { after, limit: limit + 1 })
      const page = rows.slice(0, limit)
      const names = await nameSubjects(ctx.db, workspaceId, subjectKinds(ctx), page)
      const { maxBytesPerWorkspace: maxBytes } = ctx.settings
      return {
        files: page.map(row => {
          const { subjectType: type, subjectId: id } = row
          return {
            ...shown(row),
            ...(type !== null && id !== null && { subject: jsonOfRow({ type, id, ...names.get(subjectKey(row)) }) })
          }
        }),
        usage: { bytes: await usedBytes(ctx.db, workspaceId), maxBytes },
        nextCursor: rows.length > limit ? cursorOf(order, page.at(-1)!) : null
      }
    }
  )
}

const cursorOf = (
  order: FilesOrder,
  { id, bytes, createdAt }: { id: string; bytes: number; createdAt: Date }
): string => Buffer.from(`${order} ${order === 'bytes' ? bytes : createdAt.getTime()} ${id}`).toString('base64url')

function positionIn(cursor: string, order: FilesOrder): ListPosition {
  const [cursorOrder, value = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (cursorOrder !== order || !/^\d{1,15}$/.test(value) || !isId(id)) {
    throw invalid('query.cursor is not one of this list in this order: begin again without it.', { field: 'cursor' })
  }
  return { value: Number(value), id }
}
