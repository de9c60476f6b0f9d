import { Type, type Static } from 'typebox'
import { confinementRules } from '../../../core/api/confinement.ts'
import type { Caller, Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { assertUnchanged, forbidden, invalid, notFound } from '../../../core/api/errors.ts'
import { updatedEvents } from '../../../core/api/events.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Deleted } from '../../../core/api/schemas.ts'
import { wantsRepresentation } from '../../../core/api/http.ts'
import { conversions } from '../../../core/api/text.ts'
import type { Ctx, Trx } from '../context.ts'
import { updateChanged, updatePosted, updateRemoved } from '../contract.ts'
import { lockProject } from '../queries/projects.ts'
import { changeUpdate, deleteUpdate, findUpdate, insertUpdate, listUpdates, lockUpdate } from '../queries/updates.ts'
import { headers, NewUpdate, params, Update, UpdateChanges, UpdatesQuery, WrittenUpdate } from '../schemas.ts'

const tags = ['projects']

export function updateRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, { 'GET /v1/project_updates': { allows: 'all, because they say how the project stands' } })

  app.get(
    '/v1/project_updates',
    {
      schema: {
        tags,
        summary: 'The updates of a project, newest first',
        querystring: UpdatesQuery,
        response: answers(200, Type.Array(Update))
      }
    },
    async ({ principal, query: { projectId, limit = 50 } }) =>
      (await listUpdates(ctx.db, principal.workspaceId, projectId, limit)).map(toJson)
  )

  app.post(
    '/v1/project_updates',
    {
      schema: {
        tags,
        summary: 'Say how a project stands',
        headers,
        body: NewUpdate,
        response: answers(201, WrittenUpdate)
      }
    },
    async (request, reply) => {
      const update = await postUpdate(ctx, request.principal, request.body)
      return reply.code(201).send(toWritten(update, wantsRepresentation(request, reply)))
    }
  )

  changeRoutes(app, ctx)
}

/** Changing and removing one. */
function changeRoutes(app: App, ctx: Ctx): void {
  app.post(
    '/v1/project_updates/:id',
    {
      schema: {
        tags,
        summary: 'Change an update of a project',
        description: 'Only its author or an administrator may.',
        params,
        headers,
        body: UpdateChanges,
        response: answers(200, WrittenUpdate)
      }
    },
    async (request, reply) => {
      const update = await editUpdate(ctx, request.principal, request.params.id, request.body)
      return toWritten(update, wantsRepresentation(request, reply))
    }
  )

  app.delete(
    '/v1/project_updates/:id',
    {
      schema: {
        tags,
        summary: 'Remove an update of a project',
        description: 'Only its author or an administrator may.',
        params,
        response: answers(200, Deleted)
      }
    },
    ({ principal, params: { id } }) =>
      ctx.transaction(async trx => {
        const { projectId, health } = await lockOwn(trx, principal, id)
        await deleteUpdate(trx, principal.workspaceId, id)
        await ctx.emit(trx, updateRemoved, principal, [{ subjectId: id, data: { projectId, health } }])
        return { id, deleted: true as const }
      })
  )
}

/** @throws 400, 404 */
async function postUpdate(ctx: Ctx, principal: Principal, body: Static<typeof NewUpdate>) {
  const { workspaceId, accountId } = principal
  const text = await textOf(body.bodyMarkdown)
  const at = ctx.now()
  return ctx.transaction(async trx => {
    const project = await lockProject(trx, workspaceId, body.projectId)
    if (!project) throw notFound('project', body.projectId)
    const { health } = body
    const values = { ...text, projectId: project.id, health, createdById: accountId, createdAt: at, updatedAt: at }
    const update = await insertUpdate(trx, workspaceId, values)
    await nameFiles(ctx, trx, principal, update)
    const data = { projectId: project.id, health }
    await ctx.emit(trx, updatePosted, principal, [{ subjectId: update.id, data }])
    return update
  })
}

/** @throws 400, 403, 404; 412 when another writer has changed it since it was read */
async function editUpdate(ctx: Ctx, principal: Principal, id: Id, body: Static<typeof UpdateChanges>) {
  const text = body.bodyMarkdown === undefined ? {} : await textOf(body.bodyMarkdown)
  return ctx.transaction(async trx => {
    const before = await lockOwn(trx, principal, id)
    assertUnchanged(body.previous, before)
    const { health = before.health } = body
    const after = await changeUpdate(trx, principal.workspaceId, id, ctx.now(), { ...text, health })
    await nameFiles(ctx, trx, principal, after)
    await ctx.emit(trx, updateChanged, principal, updatedEvents(before, after, ['health'], ['bodyMarkdown']))
    return after
  })
}

/** @throws 403, 404 */
async function lockOwn(trx: Trx, { workspaceId, accountId, role }: Principal, id: Id) {
  const update = await findUpdate(trx, workspaceId, id)
  // The project first: the order of locks is that of the other writers.
  const project = update && (await lockProject(trx, workspaceId, update.projectId))
  const locked = project && (await lockUpdate(trx, workspaceId, id))
  if (!locked) throw notFound('project update', id)
  if (locked.createdById !== accountId && role !== 'ADMIN') {
    throw forbidden('Only its author or an administrator may change an update: post another one instead.')
  }
  return locked
}

const nameFiles = (ctx: Ctx, trx: Trx, caller: Caller, update: { projectId: Id; bodyMarkdown: string }) =>
  ctx.use.texts.written(caller, trx, [
    { subjectType: 'project', subjectId: update.projectId, markdown: update.bodyMarkdown }
  ])

/** @throws 400 */
async function textOf(markdown: string) {
  const [text] = await conversions.read([{ markdown, field: 'body' }])
  if (text === undefined || text.json === null || text.markdown.trim() === '') {
    throw invalid('body.bodyMarkdown is empty: say how the project stands.', { field: 'bodyMarkdown' })
  }
  return { body: text.json, bodyMarkdown: text.markdown }
}

const toJson = <U extends { createdAt: Date; updatedAt: Date; body: object | null }>(update: U) => ({
  ...update,
  body: update.body ?? {},
  createdAt: update.createdAt.toISOString(),
  updatedAt: update.updatedAt.toISOString()
})

/** @param isWhole with the rich text's JSON */
function toWritten(update: Awaited<ReturnType<typeof insertUpdate>>, isWhole: boolean) {
  const { body, ...short } = toJson(update)
  return isWhole ? { ...short, body } : short
}
