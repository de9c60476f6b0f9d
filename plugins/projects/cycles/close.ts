import { ApiError, job, type Actor } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { conflict, invalid, notFound } from '../../../core/api/errors.ts'
import { updatedEvents } from '../../../core/api/events.ts'
import { eachSeparately } from '../../../core/api/http.ts'
import type { Ctx, Trx } from '../context.ts'
import { cycleUpdated, projects } from '../contract.ts'
import * as queries from './queries.ts'
import { actorOf, planAhead } from './rule.ts'
import type { CarryOver, Rule } from './spans.ts'

export const turnCycles = job<Record<string, never>>()(projects, 'turnCycles')
interface CarriedCycle {
  workspaceId: Id
  cycleId: Id
  accountId: Id
}
/** Moves the open issues of a closed cycle that its closing left, or that were put into it at that moment. */
export const carryOver = job<CarriedCycle>()(projects, 'carryOver')

/** Issues of one transaction. */
const BATCH = 100

export interface ClosedCycle {
  cycle: queries.CycleRow
  moved: number
}

/**
 * A job moves the rest of the open issues. Those of a cycle that is closed already move as its closing said.
 * @param to default: as the team's rule says
 * @throws 404; 400 when nothing says where they go; 409 when there is no next cycle
 */
export const closeCycle = (ctx: Ctx, actor: Actor, id: Id, to: CarryOver | undefined): Promise<ClosedCycle> =>
  ctx.transaction(async trx => {
    const { workspaceId, accountId } = actor
    const issueIds = await queries.lockOpenIssues(trx, workspaceId, id, BATCH)
    const before = await queries.lockCycle(trx, workspaceId, id)
    if (!before) throw notFound('cycle', id)
    const cycle = before.closedAt ? before : await markClosed(ctx, trx, actor, before, to)
    const next = () => queries.nextCycle(trx, workspaceId, cycle, ctx.now())
    // The second query sees the cycle that replaces one that was removed while its lock was waited for.
    const target = cycle.carryOver === 'NEXT' ? ((await next()) ?? (await next())) : null
    if (issueIds.length > 0 && target === undefined) {
      throw conflict(
        'The team has no next cycle: plan one first, or let the open issues leave the cycle (carryOver BACKLOG).'
      )
    }
    for (const issueId of issueIds) await ctx.use.issues.change(actor, trx, issueId, { cycleId: target?.id ?? null })
    if (!before.closedAt || issueIds.length === BATCH) {
      await ctx.enqueue(trx, carryOver, [{ workspaceId, cycleId: id, accountId }])
    }
    return { cycle, moved: issueIds.length }
  })

async function markClosed(ctx: Ctx, trx: Trx, actor: Actor, before: queries.CycleRow, to: CarryOver | undefined) {
  const { workspaceId } = actor
  const carryOver = to ?? (await ruledCarryOver(trx, workspaceId, before.teamId))
  const closed = await queries.updateCycle(trx, workspaceId, before.id, { closedAt: ctx.now(), carryOver })
  await ctx.emit(trx, cycleUpdated, actor, updatedEvents(before, closed!, ['closedAt', 'carryOver']))
  return closed!
}

/** @throws 400 when the team has no rule, or one that asks */
async function ruledCarryOver(trx: Trx, workspaceId: Id, teamId: Id): Promise<CarryOver> {
  const rule = await queries.findRule(trx, workspaceId, teamId)
  if (rule && rule.carryOver !== 'ASK') return rule.carryOver
  throw invalid(
    'body.carryOver must say where its open issues go: NEXT (the next cycle) or BACKLOG (out of the cycle).',
    { field: 'carryOver' }
  )
}

export async function carryOn(ctx: Ctx, { workspaceId, cycleId, accountId }: CarriedCycle): Promise<void> {
  try {
    await closeCycle(ctx, { ...ctx.asServer(workspaceId, accountId), accountId }, cycleId, undefined)
  } catch (error) {
    // The cycle, or the next one, was removed meanwhile: open issues stay.
    if (!(error instanceof ApiError) || error.statusCode >= 500) throw error
  }
}

export async function turnAll(ctx: Ctx): Promise<void> {
  await eachSeparately(await queries.listRules(ctx.db), rule => turn(ctx, rule))
}

async function turn(ctx: Ctx, { workspaceId, teamId }: Pick<Rule, 'workspaceId' | 'teamId'>): Promise<void> {
  const rule = await ctx.transaction(async trx => {
    const rule = await queries.lockRule(trx, workspaceId, teamId)
    if (rule) await planAhead(ctx, trx, ctx.asServer(workspaceId, rule.setById), rule)
    return rule
  })
  if (!rule) return
  await eachSeparately(await queries.listEnded(ctx.db, workspaceId, rule, ctx.now()), async ({ id }) => {
    const to = rule.carryOver
    if (to === 'ASK' && (await queries.hasOpenIssues(ctx.db, workspaceId, id))) return
    await closeCycle(ctx, actorOf(ctx, rule), id, to === 'ASK' ? 'BACKLOG' : to)
  })
}
