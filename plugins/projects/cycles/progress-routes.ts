import { Type } from 'typebox'
import type { Caller } from '../../../core/api/contract.ts'
import { isId } from '../../../core/api/database/queries.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { notFound } from '../../../core/api/errors.ts'
import type { App } from '../../../core/api/plugin.ts'
import { answers } from '../../../core/api/schemas.ts'
import type { Ctx } from '../context.ts'
import { accountsNamed, countIssues, involvedIssues, titlesOf } from '../queries/cycle-progress.ts'
import { findCycle } from './queries.ts'
import { statesByName } from '../../workspace/contract.ts'
import { params } from '../schemas.ts'
import { progressOf, type Amounts, type CategoryOf, type Move } from './progress.ts'
import { CycleCounts, CycleProgress, OfTeam } from './schemas.ts'

const tags = ['cycles']
const MAX_MOVES = 100

export function progressRoutes(app: App, ctx: Ctx): void {
  app.get(
    '/v1/cycles/progress',
    {
      schema: {
        tags,
        summary: 'The numbers of issues that are in cycles now',
        description: 'Of all cycles that have issues, or of those of a team.',
        querystring: OfTeam,
        response: answers(200, Type.Array(CycleCounts))
      }
    },
    ({ principal, query: { teamId } }) => countIssues(ctx.db, principal.workspaceId, teamId)
  )

  app.get(
    '/v1/cycles/:id/progress',
    {
      schema: {
        tags,
        summary: 'The progress of a cycle, day by day',
        description:
          'From the history of its issues, so that it says what the cycle had then: as numbers of issues and as sums ' +
          'of their estimates. It ends with the cycle: what its closing moves is still in it.',
        params,
        response: answers(200, CycleProgress)
      }
    },
    async ({ principal, params: { id } }) => readProgress(ctx, principal, id)
  )
}

/** @throws 404 */
async function readProgress({ db, now, use }: Ctx, caller: Caller, id: Id) {
  const { workspaceId } = caller
  const cycle = await findCycle(db, workspaceId, id)
  if (!cycle) throw notFound('cycle', id)
  const [issues, states] = [await involvedIssues(db, workspaceId, cycle), await use.workspace.allStates(caller, db)]
  const byId = new Map(states.map(state => [state.id, state.category]))
  const byName = statesByName(states)
  const categoryOf: CategoryOf = (state, teamId) =>
    state === null ? undefined : (byId.get(state) ?? byName.get(`${teamId} ${state}`)?.category)
  const { until, days, added, removed, assignees, ...total } = progressOf(cycle, issues, categoryOf, now())
  const [lastAdded, lastRemoved] = [added.slice(0, MAX_MOVES), removed.slice(0, MAX_MOVES)]
  const titles = await titlesOf(
    db,
    workspaceId,
    [...lastAdded, ...lastRemoved].map(({ id }) => id)
  )
  const movesOf = (moves: readonly Move[]) =>
    moves.flatMap(({ id, at }) => {
      const title = titles.get(id)
      return title ? [{ id, ...title, at: at.toISOString() }] : []
    })
  const names = [...assignees.keys()].filter(ref => ref !== null && !isId(ref)).map(String)
  const accounts = await accountsNamed(db, workspaceId, names)
  return {
    until: until.toISOString(),
    days,
    ...total,
    added: { total: added.length, issues: movesOf(lastAdded) },
    removed: { total: removed.length, issues: movesOf(lastRemoved) },
    assignees: byAccount(assignees, accounts)
  }
}

/** The greatest first. */
function byAccount(amounts: ReadonlyMap<string | null, Amounts>, accounts: ReadonlyMap<string, Id>) {
  const all = new Map<Id | null, Amounts>()
  for (const [ref, own] of amounts) {
    const accountId = ref === null || isId(ref) ? ref : (accounts.get(ref) ?? null)
    const before = all.get(accountId)
    all.set(accountId, before ? sumOf(before, own) : own)
  }
  return [...all]
    .map(([accountId, own]) => ({ accountId, ...own }))
    .sort((a, b) => b.issues.scope - a.issues.scope || String(a.accountId).localeCompare(String(b.accountId)))
}

function sumOf(a: Amounts, b: Amounts): Amounts {
  const sum = (of: 'issues' | 'points') => ({
    scope: a[of].scope + b[of].scope,
    started: a[of].started + b[of].started,
    completed: a[of].completed + b[of].completed
  })
  return { issues: sum('issues'), points: sum('points') }
}
