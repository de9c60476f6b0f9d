import type { Caller, Principal } from '../../core/api/contract.ts'
import type { DeletedRows } from '../../core/api/database/queries.ts'
import type { Id } from '../../core/api/database/types.ts'
import { conflict, notFound } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Deleted } from '../../core/api/schemas.ts'
import { deleteScope } from '../../core/api/scopes.ts'
import { deleteRecord, Permanently, type TrashKind } from '../trash/contract.ts'
import type { Ctx, Trx } from './context.ts'
import { knowledgeDeleted, knowledgeUpdated } from './contract.ts'
import { find, mustBeOwn } from './entries.ts'
import { compareWithKnown, indexEntry, POOL } from './likeness/entry-index.ts'
import { lockEntry, updateEntry } from './queries/entries.ts'
import { listTrash, lockTrashed, trashed } from './queries/trash.ts'
import { Entry, params, tags } from './schemas.ts'

export const knowledgeTrash = (ctx: Ctx): TrashKind => ({
  name: 'knowledge',
  title: 'Knowledge',
  list: listTrash,
  purge: (caller, before, limit) => ctx.transaction(trx => purge(ctx, trx, caller, { before, limit }))
})

export function trashRoutes(app: App, ctx: Ctx): void {
  app.delete(
    '/v1/knowledge/:id',
    {
      schema: {
        tags,
        summary: 'Remove an entry',
        description:
          'Its author, an administrator or an agent with the scope `delete` may. It can be restored until it is ' +
          'removed for good.',
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
          missing: () => notFound('knowledge entry', id),
          remove: trx => remove(ctx, trx, principal, id),
          purge: trx => purge(ctx, trx, principal, { id })
        }
      )
  )

  app.post(
    '/v1/knowledge/:id/restore',
    {
      config: { scope: deleteScope },
      schema: {
        tags,
        summary: 'Restore a removed entry',
        description: 'Who may remove it may restore it. Refused (409) when the same fact is known by now.',
        params,
        response: answers(200, Entry)
      }
    },
    async ({ principal, params }) => {
      await ctx.transaction(trx => restore(ctx, trx, principal, params.id))
      return find(ctx, principal, params.id)
    }
  )
}

/** Only agents get the scope `delete`, and deliberately; the routes have checked it. @throws 403 */
function assertMayRemove(principal: Principal, entry: { createdById: Id }): void {
  if (principal.kind !== 'AGENT') mustBeOwn(principal, entry)
}

async function remove(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<boolean> {
  const { workspaceId, accountId } = principal
  const entry = await lockEntry(trx, workspaceId, id)
  if (!entry) return false
  assertMayRemove(principal, entry)
  await updateEntry(trx, workspaceId, id, { deletedAt: ctx.now(), deletedById: accountId })
  await ctx.emit(trx, knowledgeDeleted, principal, [{ subjectId: id, data: { kind: entry.kind } }])
  return true
}

/** @throws 403, 404; 409 with the entry that states the same */
async function restore(ctx: Ctx, trx: Trx, principal: Principal, id: Id): Promise<void> {
  const { textIndex } = ctx.use.search
  const { workspaceId } = principal
  await textIndex.lock(principal, trx, POOL)
  const entry = await lockTrashed(trx, workspaceId, id)
  if (!entry) throw notFound('deleted knowledge entry', id)
  assertMayRemove(principal, entry)
  if (entry.status !== 'SUPERSEDED') {
    const { duplicate } = await compareWithKnown(textIndex, principal, trx, entry.content, ctx.now())
    if (duplicate) {
      throw conflict(
        `Nearly the same is known by now: “${duplicate.content}” (${duplicate.id}). To have this one instead, remove ` +
          'that one first.',
        { id: duplicate.id, entry: duplicate }
      )
    }
    await indexEntry(textIndex, principal, trx, id, entry)
  }
  await trashed.restore(trx, workspaceId, id)
  await ctx.emit(trx, knowledgeUpdated, principal, [{ subjectId: id, data: { changes: [{ field: 'restored' }] } }])
}

async function purge(ctx: Ctx, trx: Trx, caller: Caller, selection: DeletedRows): Promise<number> {
  const ids = await trashed.empty(trx, caller.workspaceId, selection, ctx.now())
  await ctx.use.files?.removeOf(caller, trx, 'knowledge', ids)
  return ids.length
}
