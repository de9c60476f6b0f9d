import { Type, type Static } from 'typebox'
import { confinementRules } from '../../../core/api/confinement.ts'
import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { assertUnchanged, conflict, invalid, notFound } from '../../../core/api/errors.ts'
import { updatedEvents } from '../../../core/api/events.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers, Deleted } from '../../../core/api/schemas.ts'
import { nameOfSomething } from '../../../core/api/text.ts'
import type { Ctx } from '../context.ts'
import { cycleCreated, cycleDeleted, cycleUpdated } from '../contract.ts'
import * as queries from './queries.ts'
import { params } from '../schemas.ts'
import { closeCycle } from './close.ts'
import { progressRoutes } from './progress-routes.ts'
import { cycleEvent } from './rule.ts'
import { CloseCycle, ClosedCycle, Cycle, CycleChanges, NewCycle } from './schemas.ts'
import type { Span } from './spans.ts'

const tags = ['cycles']

const RULES = Object.fromEntries(
  ['cycles', 'cycles/:id', 'cycles/:id/progress', 'cycles/progress'].map(path => [
    `GET /v1/${path}`,
    { allows: 'all, because issues and tools name them' }
  ])
)

export function cycleRoutes(app: App, ctx: Ctx): void {
  confinementRules(app, RULES)
  const { db } = ctx

  app.get(
    '/v1/cycles',
    { schema: { tags, summary: 'Cycles, by their start', response: answers(200, Type.Array(Cycle)) } },
    async ({ principal }) => (await queries.listCycles(db, principal.workspaceId)).map(cycleToJson)
  )

  app.get(
    '/v1/cycles/:id',
    { schema: { tags, summary: 'A cycle', params, response: answers(200, Cycle) } },
    async ({ principal, params }) =>
      cycleToJson((await queries.findCycle(db, principal.workspaceId, params.id)) ?? missing(params.id))
  )
  progressRoutes(app, ctx)
  changeRoutes(app, ctx)
}

function changeRoutes(app: App, ctx: Ctx): void {
  app.post(
    '/v1/cycles',
    { schema: { tags, summary: 'Plan a cycle', body: NewCycle, response: answers(201, Cycle) } },
    async ({ principal, body }, reply) => reply.code(201).send(await planCycle(ctx, principal, body))
  )

  app.post(
    '/v1/cycles/:id',
    {
      schema: {
        tags,
        summary: 'Change a cycle',
        description: 'The dates of a closed one stay (409).',
        params,
        body: CycleChanges,
        response: answers(200, Cycle)
      }
    },
    async ({ principal, params, body }) => changeCycle(ctx, principal, params.id, body)
  )

  app.post(
    '/v1/cycles/:id/close',
    {
      schema: {
        tags,
        summary: 'Close a cycle, and move its open issues',
        description:
          'Into the next cycle, or out of the cycle: as `carryOver` says, else as the cycles of the team repeat. ' +
          'Where that asks, or they do not repeat, `carryOver` is required. What the cycle had at its end stays in ' +
          'its progress. Closing it again moves what is open in it where the first closing said.',
        params,
        body: CloseCycle,
        response: answers(200, ClosedCycle)
      }
    },
    async ({ principal, params, body }) => {
      const { cycle, moved } = await closeCycle(ctx, principal, params.id, body.carryOver)
      return { ...cycleToJson(cycle), moved }
    }
  )

  app.delete(
    '/v1/cycles/:id',
    { schema: { tags, summary: 'Remove a cycle; its issues stay', params, response: answers(200, Deleted) } },
    async ({ principal, params }) =>
      ctx.transaction(async trx => {
        const { workspaceId } = principal
        const removed = await queries.updateCycle(trx, workspaceId, params.id, { deletedAt: ctx.now() })
        if (!removed) throw notFound('cycle', params.id)
        await ctx.emit(trx, cycleDeleted, principal, [cycleEvent(removed)])
        return { id: removed.id, deleted: true as const }
      })
  )
}

async function planCycle(ctx: Ctx, principal: Principal, body: Static<typeof NewCycle>) {
  const { id: teamId } = await ctx.use.workspace.findTeam(principal, ctx.db, body.teamId)
  const values = { name: nameOfSomething(body.name, 'name'), teamId, ...span(body.startsAt, body.endsAt) }
  return ctx.transaction(async trx => {
    const cycle = await queries.insertCycle(trx, principal.workspaceId, ctx.now(), values)
    await ctx.emit(trx, cycleCreated, principal, [cycleEvent(cycle)])
    return cycleToJson(cycle)
  })
}

/** @throws 404; 409 when the dates of a closed one would change; 412 when another writer has changed it */
async function changeCycle(ctx: Ctx, principal: Principal, id: Id, body: Static<typeof CycleChanges>) {
  const { workspaceId } = principal
  return ctx.transaction(async trx => {
    const before = (await queries.lockCycle(trx, workspaceId, id)) ?? missing(id)
    assertUnchanged(body.previous, cycleToJson(before))
    const dates = span(body.startsAt ?? before.startsAt, body.endsAt ?? before.endsAt)
    const values = { name: nameOfSomething(body.name, 'name') ?? before.name, ...dates }
    const after = (await queries.updateCycle(trx, workspaceId, id, values)) ?? missing(id)
    const changes = updatedEvents(before, after, ['startsAt', 'endsAt'])
    if (before.closedAt && changes.length > 0) throw conflict('The cycle is closed: its dates stay.')
    await ctx.emit(trx, cycleUpdated, principal, updatedEvents(before, after, ['name', 'startsAt', 'endsAt']))
    return cycleToJson(after)
  })
}

function missing(id: Id): never {
  throw notFound('cycle', id)
}
function span(from: string | Date, to: string | Date): Span {
  const [startsAt, endsAt] = [new Date(from), new Date(to)]
  if (endsAt <= startsAt) throw invalid('body.endsAt must be after body.startsAt.', { field: 'endsAt' })
  return { startsAt, endsAt }
}
const cycleToJson = ({ startsAt, endsAt, createdAt, closedAt, carryOver, ...cycle }: queries.CycleRow) => ({
  ...cycle,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
  createdAt: createdAt.toISOString(),
  ...(closedAt && { closedAt: closedAt.toISOString() }),
  ...(carryOver && { carryOver })
})
