import { Type } from 'typebox'
import type { Principal } from '../../core/api/contract.ts'
import { notFound } from '../../core/api/errors.ts'
import type { App } from '../../core/api/plugin.ts'
import { answers, Closed, Deleted, IdText } from '../../core/api/schemas.ts'
import type { Ctx } from './context.ts'
import { kindsOf, readFavourites, setFavourites } from './favourites.ts'
import * as queries from './queries/views.ts'
import { favouriteSchemas, NewView, View, ViewChanges } from './schemas.ts'
import { addView, changeView, deleteView, viewJson } from './views.ts'

const tags = ['views']
const params = Closed({ id: IdText })

/** @throws 404 */
async function answer(ctx: Ctx, principal: Principal, id: string) {
  const view = await queries.findView(ctx.db, principal, id)
  if (view === undefined) throw notFound('view', id)
  return viewJson(view)
}

export function viewRoutes(app: App, ctx: Ctx): void {
  app.get(
    '/v1/views',
    {
      schema: {
        tags,
        summary: 'Your views, and those that are shared, by name',
        response: answers(200, Type.Array(View))
      }
    },
    async ({ principal }) => (await queries.listViews(ctx.db, principal)).map(viewJson)
  )

  app.post(
    '/v1/views',
    {
      schema: {
        tags,
        summary: 'Save a view',
        description: 'POST /v1/issues/filter lists its issues: `{"viewId": "…"}`.',
        body: NewView,
        response: answers(201, View)
      }
    },
    async ({ principal, body }, reply) =>
      reply.code(201).send(await answer(ctx, principal, await addView(ctx, principal, body)))
  )

  app.post(
    '/v1/views/:id',
    {
      schema: {
        tags,
        summary: 'Change a view',
        description: 'Its owner does, or an administrator if it is shared.',
        params,
        body: ViewChanges,
        response: answers(200, View)
      }
    },
    async ({ principal, params, body }) => {
      await changeView(ctx, principal, params.id, body)
      return answer(ctx, principal, params.id)
    }
  )

  app.delete(
    '/v1/views/:id',
    { schema: { tags, summary: 'Remove a view; its issues stay', params, response: answers(200, Deleted) } },
    async ({ principal, params: { id } }) => {
      await deleteView(ctx, principal, id)
      return { id, deleted: true as const }
    }
  )
}

export function favouriteRoutes(app: App, ctx: Ctx): void {
  const { Favourites, NewFavourites } = favouriteSchemas(kindsOf(ctx).map(({ type }) => type))

  app.get(
    '/v1/favourites',
    {
      schema: {
        tags,
        summary: 'Your favourites, in your order',
        description: 'Without those that were removed, or that you may not read.',
        response: answers(200, Favourites)
      }
    },
    async ({ principal }) => readFavourites(ctx, principal)
  )

  app.put(
    '/v1/favourites',
    {
      schema: {
        tags,
        summary: 'Replace your favourites',
        body: NewFavourites,
        response: answers(200, Favourites)
      }
    },
    async ({ principal, body }) => setFavourites(ctx, principal, body.favourites)
  )
}
