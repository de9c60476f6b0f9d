import type { Caller, Principal } from '../../../core/api/contract.ts'
import type { DeletedRows } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { conflict, notFound } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../../core/api/schemas.ts'
import { deleteScope } from '../../../core/api/scopes.ts'
import { deleteRecord, Permanently, type TrashKind } from '../../trash/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { labelDeleted, labelUpdated } from '../contract.ts'
import { findLabel, removeLabel } from '../queries/teams.ts'
import { hasLabelNamed, listTrashedLabels, lockTrashedLabel, trashedLabels } from '../queries/trash.ts'
import { Label, labelEvent, withIsoDate } from '../schemas.ts'

const tags = ['labels']
const params = Closed({ id: IdText })

export const labelTrash = (ctx: Ctx): TrashKind => ({
  name: 'labels',
  title: 'Label',
  list: ({ workspaceId }) => listTrashedLabels(workspaceId),
  purge: (caller, before, limit) => ctx.transaction(trx => purge(ctx, trx, caller, { before, limit }))
})

export function labelTrashRoutes(app: App, ctx: Ctx): void {
  app.delete(
    '/v1/labels/:id',
    {
      schema: {
        tags,
        summary: 'Remove a label',
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
          missing: () => notFound('label', id),
          remove: trx => remove(ctx, trx, principal, id),
          purge: trx => purge(ctx, trx, principal, { id })
        }
      )
  )

  app.post(
    '/v1/labels/:id/restore',
    {
      config: { scope: deleteScope },
      schema: {
        tags,
        summary: 'Restore a removed label',
        description:
          'The issues that had it have it again. Refused (409) when another label has its name by now. Needs the ' +
          'scope `delete`, as removing does.',
        params,
        response: answers(200, Label)
      }
    },
    async ({ principal, params }) => withIsoDate(await ctx.transaction(trx => restore(ctx, trx, principal, params.id)))
  )
}

async function remove(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<boolean> {
  const { workspaceId, accountId } = principal
  const removed = await removeLabel(trx, workspaceId, id, ctx.now(), accountId)
  if (!removed) return false
  await ctx.emit(trx, labelDeleted, principal, [labelEvent(removed)])
  return true
}

/** @throws 404; 409 when another label has its name */
async function restore(ctx: Ctx, trx: Trx, principal: Principal, id: Id) {
  const { workspaceId } = principal
  const trashed = await lockTrashedLabel(trx, workspaceId, id)
  if (!trashed) throw notFound('deleted label', id)
  if (await hasLabelNamed(trx, workspaceId, trashed.name)) {
    throw conflict(`Another label is called '${trashed.name}' by now: rename that one first.`)
  }
  await trashedLabels.restore(trx, workspaceId, id)
  await ctx.emit(trx, labelUpdated, principal, [{ subjectId: id, data: { changes: [{ field: 'restored' }] } }])
  return (await findLabel(trx, workspaceId, id))!
}

async function purge(ctx: Ctx, trx: Trx, { workspaceId }: Caller, selection: DeletedRows): Promise<number> {
  return (await trashedLabels.empty(trx, workspaceId, selection, ctx.now())).length
}
