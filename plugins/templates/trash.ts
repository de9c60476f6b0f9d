import type { Caller, Principal } from '../../core/api/contract.ts'
import type { DeletedRows } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { notFound } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Deleted } from '../../core/api/schemas.ts'
import { deleteScope } from '../../core/api/scopes.ts'
import { deleteRecord, Permanently, type TrashKind } from '../trash/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { templateDeleted, templateUpdated } from './contract.ts'
import { templateNamed, updateTemplate } from './queries/templates.ts'
import { listTrash, lockTrashed, trashed } from './queries/trash.ts'
import { params, Template } from './schemas.ts'
import { assertRoom, nameTaken, readTemplate } from './templates.ts'

const tags = ['issue templates']

export const templateTrash = (ctx: Ctx): TrashKind => ({
  name: 'issue_templates',
  title: 'Template for issues',
  list: ({ workspaceId }) => listTrash(workspaceId),
  purge: (caller, before, limit) => ctx.transaction(trx => purge(ctx, trx, caller, { before, limit }))
})

export function trashRoutes(app: App, ctx: Ctx): void {
  app.delete(
    '/v1/issue_templates/:id',
    {
      schema: {
        tags,
        summary: 'Remove a template; issues that were made from it stay',
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
          missing: () => notFound('issue template', id),
          remove: trx => remove(ctx, trx, principal, id),
          purge: trx => purge(ctx, trx, principal, { id })
        }
      )
  )

  app.post(
    '/v1/issue_templates/:id/restore',
    {
      config: { scope: deleteScope },
      schema: {
        tags,
        summary: 'Restore a removed template',
        description:
          'Refused (409) when another template of its team has its name by now. Needs the scope `delete`, as ' +
          'removing does.',
        params,
        response: answers(200, Template)
      }
    },
    async ({ principal, params: { id } }) => {
      await ctx.transaction(trx => restore(ctx, trx, principal, id))
      return readTemplate(ctx, principal, id)
    }
  )
}

async function remove(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<boolean> {
  const { workspaceId, accountId } = principal
  const removed = await updateTemplate(trx, workspaceId, id, { deletedAt: ctx.now(), deletedById: accountId })
  if (!removed) return false
  const { name, teamId } = removed
  await ctx.emit(trx, templateDeleted, principal, [{ subjectId: id, data: { name, teamId } }])
  return true
}

/** @throws 404, also when its team was removed; 409 when another template has its name, or the team too many */
async function restore(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<void> {
  const { workspaceId } = principal
  const template = await lockTrashed(trx, workspaceId, id)
  if (!template) throw notFound('deleted issue template', id)
  const { name, teamId } = template
  await assertRoom(ctx, trx, principal, teamId)
  if (await templateNamed(trx, workspaceId, teamId, name)) throw nameTaken(name)
  await trashed.restore(trx, workspaceId, id)
  await ctx.emit(trx, templateUpdated, principal, [{ subjectId: id, data: { changes: [{ field: 'restored' }] } }])
}

async function purge(ctx: Ctx, trx: Trx, caller: Caller, selection: DeletedRows): Promise<number> {
  const ids = await trashed.empty(trx, caller.workspaceId, selection, ctx.now())
  await ctx.use.files?.removeOf(caller, trx, 'issue_template', ids)
  return ids.length
}
