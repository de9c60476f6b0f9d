import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { notFound } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Deleted } from '../../../core/api/schemas.ts'
import { assertAdmin, deleteScope } from '../../../core/api/scopes.ts'
import { Permanently } from '../../trash/contract.ts'
import { sectionsOf, type Ctx } from '../context.ts'
import { findThread } from '../queries/comments.ts'
import { commentSchemas, headers, ofComment as params, tags } from '../schemas.ts'
import { sendWritten } from '../write/answer.ts'
import { deleteThread, purgeComments, restoreComment } from './trash.ts'

export function trashRoutes(app: App, ctx: Ctx): void {
  const { WrittenComment } = commentSchemas(sectionsOf(ctx))

  app.delete(
    '/v1/issue_comments/:id',
    {
      schema: {
        tags,
        summary: 'Delete a comment and the replies to it',
        description:
          'Its author, an administrator or an agent with the scope `delete` may. It can be restored until it is ' +
          'removed for good.',
        params,
        querystring: Permanently,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params: { id }, query }) => {
      if (query.permanently) await removeForGood(ctx, principal, id)
      else await ctx.transaction(trx => deleteThread(ctx, trx, principal, id))
      return { id, deleted: true as const }
    }
  )

  app.post(
    '/v1/issue_comments/:id/restore',
    {
      config: { scope: deleteScope },
      schema: {
        tags,
        summary: 'Restore a deleted comment and the replies that were deleted with it',
        description: 'Who may delete it may restore it. A question stays withdrawn.',
        params,
        headers,
        response: answers(200, WrittenComment)
      }
    },
    async (request, reply) => {
      const { principal, params } = request
      await ctx.transaction(trx => restoreComment(ctx, trx, principal, params.id))
      return sendWritten(ctx, request, reply, params.id)
    }
  )
}

/** Removes a comment for good, also one in the trash. @throws 403, 404 */
async function removeForGood(ctx: Ctx, principal: Principal, id: Id): Promise<void> {
  assertAdmin(principal)
  await ctx.transaction(async trx => {
    const isThere = (await findThread(trx, principal.workspaceId, id)) !== undefined
    if (isThere) await deleteThread(ctx, trx, principal, id)
    if ((await purgeComments(ctx, trx, principal, { id })) === 0) throw notFound('deleted comment', id)
  })
}
