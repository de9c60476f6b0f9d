import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, Deleted } from '../../../core/api/schemas.ts'
import { assertAdmin, deleteScope } from '../../../core/api/scopes.ts'
import { Permanently } from '../../trash/contract.ts'
import { answerIssue, headers, one, tags, writeQuery, type RouteContext } from './answers.ts'
import { assertInTeam, inTeam } from './change.ts'
import { removeIssue } from '../write/moves.ts'
import { purgeIssues } from '../trash/purge.ts'
import { findInTrash } from '../trash/queries.ts'
import { notInTrash, restoreIssue } from '../trash/restore.ts'

const deleteQuery = Closed({ ...Permanently.properties, ...inTeam })

export function trashRoutes(app: App, routes: RouteContext): void {
  app.delete(
    '/v1/issues/:issueId',
    {
      schema: {
        tags,
        summary: 'Delete an issue',
        description: 'Its sub-issues become issues of their own. It can be restored until it is removed for good.',
        params: one,
        querystring: deleteQuery,
        response: answers(200, Deleted)
      }
    },
    async ({ principal, params: { issueId: ref }, query: { permanently, teamId } }) => {
      if (permanently) assertAdmin(principal)
      const { ctx } = routes
      const trashed = permanently ? await findInTrash(ctx.db, principal.workspaceId, ref) : undefined
      const issue = trashed ?? (await routes.find(principal, ref))
      assertInTeam(issue, teamId, ref)
      const { id } = issue
      await ctx.transaction(async trx => {
        if (!trashed) await removeIssue(routes, trx, principal, id)
        if (permanently && (await purgeIssues(ctx, trx, principal, { id })) === 0) throw notInTrash(ref)
      })
      return { id, deleted: true as const }
    }
  )

  app.post(
    '/v1/issues/:issueId/restore',
    {
      config: { scope: deleteScope },
      schema: {
        tags,
        summary: 'Restore a deleted issue',
        description:
          'With its comments, relations, labels and key. Its sub-issues come back under it, but for those that have ' +
          'another parent by now. Where its state was removed, it gets the one that is most like it. Needs the scope ' +
          '`delete`, as deleting does.',
        params: one,
        headers,
        querystring: writeQuery,
        response: answers(200, routes.schemas.Written)
      }
    },
    async (request, reply) => {
      const { principal, params } = request
      const issue = await findInTrash(routes.ctx.db, principal.workspaceId, params.issueId)
      if (!issue) throw notInTrash(params.issueId)
      await routes.ctx.transaction(trx => restoreIssue(routes, trx, principal, issue.id))
      return answerIssue(routes, request, reply, issue.id)
    }
  )
}
