import type { Caller, Principal } from '../../core/api/contract.ts'
import type { DeletedRows } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { conflict, notFound } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Deleted } from '../../core/api/schemas.ts'
import { deleteScope } from '../../core/api/scopes.ts'
import { deleteRecord, Permanently, type TrashKind } from '../trash/contract.ts'
import { answerWritten } from './answers.ts'
import type { Ctx, Trx } from './context.ts'
import { projectDeleted, projectUpdated } from './contract.ts'
import { removeWithProject, restoreWithProject } from './queries/milestones.ts'
import { removeProject } from './queries/projects.ts'
import { findProjectNamed } from './queries/transfer.ts'
import { listTrash, lockTrashed, trashed } from './queries/trash.ts'
import { purgeTexts } from './queries/updates.ts'
import { headers, params, tags, WrittenProject } from './schemas.ts'

export const projectTrash = (ctx: Ctx): TrashKind => ({
  name: 'projects',
  title: 'Project',
  list: ({ workspaceId }) => listTrash(workspaceId),
  purge: (caller, before, limit) => ctx.transaction(trx => purge(ctx, trx, caller, { before, limit }))
})

export function trashRoutes(app: App, ctx: Ctx): void {
  app.delete(
    '/v1/projects/:id',
    {
      schema: {
        tags,
        summary: 'Remove a project; its issues stay',
        description: 'It can be restored until it is removed for good.',
        params,
        querystring: Permanently,
        response: answers(200, Deleted)
      }
    },
    ({ principal, params: { id }, query: { permanently } }) =>
      deleteRecord(
        ctx,
        principal,
        { id, permanently },
        {
          missing: () => notFound('project', id),
          remove: trx => remove(ctx, trx, principal, id),
          purge: trx => purge(ctx, trx, principal, { id })
        }
      )
  )

  app.post(
    '/v1/projects/:id/restore',
    {
      config: { scope: deleteScope },
      schema: {
        tags,
        summary: 'Restore a removed project',
        description:
          'With the issues that were in it and have no other project by now. Refused (409) when another project has ' +
          'its name by now. Needs the scope `delete`, as removing does.',
        params,
        headers,
        response: answers(200, WrittenProject)
      }
    },
    async (request, reply) => {
      const { principal, params } = request
      await ctx.transaction(trx => restore(ctx, trx, principal, params.id))
      return answerWritten(ctx, request, reply, params.id)
    }
  )
}

async function remove(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<boolean> {
  const { workspaceId, accountId } = principal
  const at = ctx.now()
  const removed = await removeProject(trx, workspaceId, id, at, accountId)
  if (!removed) return false
  await removeWithProject(trx, workspaceId, id, at)
  const { id: subjectId, ...data } = removed
  await ctx.emit(trx, projectDeleted, principal, [{ subjectId, data }])
  return true
}

/** @throws 404; 409 when another project has its name */
async function restore(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<void> {
  const { workspaceId } = principal
  const project = await lockTrashed(trx, workspaceId, id)
  if (!project) throw notFound('deleted project', id)
  if (await findProjectNamed(trx, workspaceId, project.name)) {
    throw conflict(`Another project is called '${project.name}' by now: rename that one first.`)
  }
  await trashed.restore(trx, workspaceId, id)
  await restoreWithProject(trx, workspaceId, id, project.deletedAt!)
  await ctx.emit(trx, projectUpdated, principal, [{ subjectId: id, data: { changes: [{ field: 'restored' }] } }])
}

async function purge(ctx: Ctx, trx: Trx, caller: Caller, selection: DeletedRows): Promise<number> {
  const ids = await trashed.empty(trx, caller.workspaceId, selection, ctx.now())
  await purgeTexts(trx, caller.workspaceId, ids)
  await ctx.use.files?.removeOf(caller, trx, 'project', ids)
  return ids.length
}
