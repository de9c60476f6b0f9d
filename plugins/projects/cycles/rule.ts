import type { Actor, Caller } from '../../../core/api/contract.ts'
import type { TeamField } from '../../workspace/contract.ts'
import type { Ctx, Trx } from '../context.ts'
import { cycleCreated, cycleDeleted } from '../contract.ts'
import * as queries from './queries.ts'
import { Repeating } from './schemas.ts'
import { missingSpans, type Repetition, type Rule } from './spans.ts'

export const cyclesOfTeam = (ctx: Ctx): TeamField => ({
  name: 'cycles',
  schema: Repeating,
  json: queries.ruleOfTeam,
  async set(caller, trx, teamId, value: Repetition | null) {
    const { workspaceId, accountId } = caller
    const before = await queries.lockRule(trx, workspaceId, teamId)
    const isOther = before?.weeks !== value?.weeks || before?.startDay !== value?.startDay
    if (isOther) {
      const removed = await queries.removeUpcoming(trx, workspaceId, teamId, ctx.now())
      await ctx.emit(trx, cycleDeleted, caller, removed.map(cycleEvent))
      await queries.forgetRemoved(trx, workspaceId, teamId)
    }
    if (value === null) await queries.deleteRule(trx, workspaceId, teamId)
    else {
      const rule = { workspaceId, teamId, ...value, setById: accountId, setAt: ctx.now() }
      await planAhead(ctx, trx, caller, await queries.putRule(trx, rule))
    }
  }
})

/** The transaction has locked the rule. */
export async function planAhead(ctx: Ctx, trx: Trx, caller: Caller, rule: Rule): Promise<void> {
  const { workspaceId, teamId } = rule
  const now = ctx.now()
  const spans = missingSpans(rule, await queries.presentSpans(trx, workspaceId, teamId, now), now)
  if (spans.length === 0) return
  const last = await queries.lastNumber(trx, workspaceId, teamId)
  for (const [n, span] of spans.entries()) {
    const values = { name: `Cycle ${last + n + 1}`, teamId, ...span, isRepeated: true }
    const cycle = await queries.insertCycle(trx, workspaceId, now, values)
    await ctx.emit(trx, cycleCreated, caller, [cycleEvent(cycle)])
  }
}

export const actorOf = (ctx: Ctx, { workspaceId, setById }: Rule): Actor => ({
  ...ctx.asServer(workspaceId, setById),
  accountId: setById
})

export const cycleEvent = ({ id, name, teamId }: { id: string; name: string; teamId: string }) => ({
  subjectId: id,
  data: { name, teamId }
})
