import { accountDeleted } from '../../core/api/accounts.ts'
import { definePlugin } from '../../core/api/plugin.ts'
import { callerHeaders, eventTypes, metrics, problems, requestListeners } from '../../core/api/points.ts'
import { sessionWork } from '../hooks/contract.ts'
import { notificationSources, notifiesOf } from '../inbox/contract.ts'
import { abandonedWork, contextSections, issueChanges, issueFilters, rowSections } from '../issues/contract.ts'
import { insightMeasures } from '../insights/contract.ts'
import { uiParts } from '../ui/contract.ts'
import { claimChanges, ifClaim } from './changes.ts'
import { dependencies } from './context.ts'
import { claimEvents, claimLapsed } from './contract.ts'
import { lapsedClaimsMeasure } from './queries/insights.ts'
import { announceLapsed, claimMetrics, forgetLosses, lapseClaims, removeLosses } from './jobs/lapse.ts'
import { endClaimsOf, reconcile, reconcileClaims } from './jobs/reconcile.ts'
import { renewals } from './jobs/renewals.ts'
import { claimLost } from './keep.ts'
import { claimFilter, claimJson, claimOfRow, isOfOtherSession, lapsedWork, listLostIssues } from './queries/rows.ts'
import { claimRoutes } from './routes.ts'
import { Claim, ClaimOfRow } from './schemas.ts'

export default definePlugin(dependencies, {
  summary: 'Claims: who works on an issue and until when, so that no two agents work on the same one',
  tables: { issueClaim: 'workspace', issueLostClaim: 'workspace', issueClaimLapse: 'workspace' },
  migrations: {
    '001_claims': () => import('./migrations/001_claims.ts'),
    '002_lapses': () => import('./migrations/002_lapses.ts')
  },
  register(ctx) {
    ctx.contribute(uiParts, { entry: new URL('./ui/index.tsx', import.meta.url) })
    for (const type of claimEvents) ctx.contribute(eventTypes, type)
    ctx.contributeWith(issueChanges, ctx => [claimChanges(ctx)])
    ctx.contribute(abandonedWork, lapsedWork)
    ctx.contribute(contextSections, {
      name: 'claim',
      schema: Claim,
      json: claimJson,
      isOptional: true,
      // The holder's requests move it.
      unversioned: ['expiresAt']
    })
    ctx.contribute(rowSections, { name: 'claim', schema: ClaimOfRow, json: claimOfRow })
    ctx.contribute(issueFilters, claimFilter)
    ctx.contribute(insightMeasures, lapsedClaimsMeasure)
    ctx.contribute(problems, claimLost)
    ctx.contribute(callerHeaders, ifClaim)
    ctx.contribute(
      notificationSources,
      notifiesOf(claimLapsed, async (_, { notify, watcherIds }) => notify('claim_lapsed', await watcherIds()))
    )
    ctx.contributeWith(sessionWork, ctx => [
      {
        seen: caller => ctx.get(renewals).note(caller),
        listLost: (caller, limit) => listLostIssues(ctx.db, caller, ctx.now(), limit),
        hasLapsed: lapsedWork.condition,
        isOfOtherSession
      }
    ])
    ctx.contributeWith(metrics, ctx => [claimMetrics(ctx)])
    ctx.contributeWith(requestListeners, ctx => [
      { kind: 'AGENT' as const, hear: principal => ctx.get(renewals).note(principal) }
    ])
    ctx.work(lapseClaims, {}, (_payloads, ctx) => announceLapsed(ctx))
    ctx.schedule(lapseClaims, '* * * * *')
    ctx.work(forgetLosses, {}, (_payloads, ctx) => removeLosses(ctx))
    ctx.schedule(forgetLosses, '50 3 * * *')
    ctx.work(reconcileClaims, {}, (_payloads, ctx) => reconcile(ctx))
    ctx.onListen(ctx => ctx.enqueue('now', reconcileClaims, [{}]))
    ctx.onListen(ctx => ctx.enqueue('now', lapseClaims, [{}]))
    ctx.consume('removals', {
      events: [accountDeleted],
      debounceMs: 250,
      onGap: 'skip',
      async handle(events, ctx) {
        for (const { workspaceId, subject } of events) await endClaimsOf(ctx, workspaceId, subject.id)
      }
    })
  },
  services: ctx => ({ keepAlive: caller => ctx.get(renewals).note(caller) }),
  routes: claimRoutes
})
