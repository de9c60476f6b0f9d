import type { Caller } from '../../../core/contract.ts'
import type { Id } from '../../../core/db/tables.ts'
import { singleton } from '../../../core/plugin.ts'
import type { Ctx } from '../context.ts'
import { agentExpiry } from './keep.ts'
import { renewClaims } from './queries.ts'

/** Maximum milliseconds between two renewals for one account and session. */
const MAX_RENEWAL_INTERVAL_MS = 60_000
/** How often a claim of an agent that sends requests is renewed, at least, in the time after which it would lapse. */
const MIN_RENEWALS = 4
/** Maximum accounts and sessions that are remembered; beyond, the oldest are forgotten. */
const MAX_REMEMBERED = 10_000

/** An agent that has sent a request. */
type CallingAgent = Pick<Caller, 'workspaceId' | 'session'> & { readonly accountId: Id }

/** Renews the claims of agents that send requests: in the background, and at most once in an interval. */
export const renewals = singleton(
  'renewals',
  (ctx: Ctx) => {
    const intervalMs = Math.min(MAX_RENEWAL_INTERVAL_MS, (ctx.settings.claimMinutes * 60_000) / MIN_RENEWALS)
    const renewedAt = new Map<string, number>()
    const pending = new Set<Promise<void>>()
    return {
      note({ workspaceId, accountId, session }: CallingAgent): void {
        const name = JSON.stringify([accountId, session])
        const now = ctx.now().getTime()
        if (now - (renewedAt.get(name) ?? 0) < intervalMs) return
        renewedAt.delete(name)
        renewedAt.set(name, now)
        if (renewedAt.size > MAX_REMEMBERED) renewedAt.delete(renewedAt.keys().next().value!)
        const until = { at: new Date(now), expiresAt: agentExpiry(ctx), intervalMs }
        const renewal = renewClaims(ctx.db, { workspaceId, accountId, session }, until)
          .catch((error: unknown) => {
            renewedAt.delete(name)
            ctx.log.warn({ err: error }, 'could not renew the claims of an agent')
          })
          .finally(() => pending.delete(renewal))
        pending.add(renewal)
      },
      /** Waits until all renewals are written. */
      async stop(): Promise<void> {
        await Promise.all(pending)
      }
    }
  },
  made => made.stop()
)
