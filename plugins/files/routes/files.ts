import { Type } from 'typebox'
import { conflict } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Deleted } from '../../../core/api/schemas.ts'
import type { Ctx } from '../context.ts'
import { listFiles } from '../queries/files.ts'
import { deleteFile } from '../removal.ts'
import {
  fileParams,
  FileQuery,
  FileWithContent,
  issueParams,
  PageQuery,
  RemovalQuery,
  StoredFile,
  tags
} from '../schemas.ts'
import { shown } from '../shown.ts'
import { findReadable, findRemovable } from '../subjects.ts'
import { contentAsJson } from './content.ts'

export function fileRoutes(app: App, ctx: Ctx): void {
  const { db, use } = ctx

  app.get(
    '/v1/files/:id',
    {
      schema: {
        tags,
        summary: 'A file, without its content, or with a small one',
        params: fileParams,
        querystring: FileQuery,
        response: answers(200, FileWithContent)
      }
    },
    async ({ principal, params, query }) => {
      const file = await findReadable(ctx, principal, params.id)
      return { ...shown(file), ...(query.content === true && (await contentAsJson(ctx, principal, file))) }
    }
  )

  app.get(
    '/v1/issues/:issueId/files',
    {
      schema: {
        tags,
        summary: 'The files of an issue, in the order of their uploads',
        description: 'Those of its description, its comments and its evidence.',
        params: issueParams,
        querystring: PageQuery,
        response: answers(200, Type.Array(StoredFile))
      }
    },
    async ({ principal, params, query }) => {
      const { id } = await use.issues.find(principal, ctx.db, params.issueId)
      return (await listFiles(db, principal.workspaceId, { type: 'issue', id }, query)).map(shown)
    }
  )

  app.delete(
    '/v1/files/:id',
    {
      schema: {
        tags,
        summary: 'Remove a file',
        description: 'Texts that name it keep its address. Administrators remove those that no text names yet, too.',
        params: fileParams,
        querystring: RemovalQuery,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params, query }) => {
      const file = await findRemovable(ctx, principal, params.id)
      const isDeleted = await ctx.transaction(trx => deleteFile(ctx, trx, principal, file, query.reason))
      if (!isDeleted) throw conflict('The file was changed meanwhile: try again.')
      return { id: file.id, deleted: true as const }
    }
  )
}
