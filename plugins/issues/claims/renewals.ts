import type { Caller } from '../../../core/contract.ts'
import type { Id } from '../../../core/db/tables.ts'
import { singleton } from '../../../core/plugin.ts'
import type { Ctx } from '../context.ts'
import { agentExpiry } from './keep.ts'
import { renewClaims } from './queries.ts'

/** Milliseconds between two renewals for one account and session. */
const RENEWAL_INTERVAL_MS = 60_000
/** Accounts and sessions that are remembered; past that, those that were heard of first are forgotten. */
const MAX_REMEMBERED = 10_000

/** An agent that is heard of. */
type Heard = Pick<Caller, 'workspaceId' | 'session'> & { readonly accountId: Id }

/** Renews the claims of agents that are heard of, beside their requests and at most once a minute. */
export const renewals = singleton(
  'renewals',
  (ctx: Ctx) => {
    const renewedAt = new Map<string, number>()
    const pending = new Set<Promise<void>>()
    return {
      note({ workspaceId, accountId, session }: Heard): void {
        const name = JSON.stringify([accountId, session])
        const now = ctx.now().getTime()
        if (now - (renewedAt.get(name) ?? 0) < RENEWAL_INTERVAL_MS) return
        renewedAt.delete(name)
        renewedAt.set(name, now)
        if (renewedAt.size > MAX_REMEMBERED) renewedAt.delete(renewedAt.keys().next().value!)
        const renewal = renewClaims(ctx.db, { workspaceId, accountId, session }, new Date(now), agentExpiry(ctx))
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
