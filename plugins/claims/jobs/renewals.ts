import { LRUCache } from 'lru-cache'
import type { Caller } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { singleton } from '../../../core/api/plugin.ts'
import type { Ctx } from '../context.ts'
import { leaseOf } from '../claim.ts'
import { renewClaims } from '../queries/claims.ts'

/** Accounts and sessions. */
const MAX_REMEMBERED = 10_000

type CallingAgent = Pick<Caller, 'workspaceId' | 'session'> & { readonly accountId: Id }

/** Renews the claims of agents that send requests: in the background, and at most once in an interval. */
export const renewals = singleton(
  'renewals',
  (ctx: Ctx) => {
    const lease = leaseOf(ctx)
    const renewedAt = new LRUCache<string, number>({ max: MAX_REMEMBERED })
    const pending = new Set<Promise<void>>()
    return {
      note({ workspaceId, accountId, session }: CallingAgent): void {
        const name = JSON.stringify([accountId, session])
        const now = ctx.now().getTime()
        if (now - (renewedAt.get(name) ?? 0) < lease.renewalIntervalMs) return
        renewedAt.set(name, now)
        const at = ctx.use.database.time()
        const renewal = ctx
          .transaction(trx => renewClaims(trx, { workspaceId, accountId, session }, at, lease))
          .catch((error: unknown) => {
            renewedAt.delete(name)
            ctx.log.warn({ err: error }, 'could not renew the claims of an agent')
          })
          .finally(() => pending.delete(renewal))
        pending.add(renewal)
      },
      async stop(): Promise<void> {
        await Promise.all(pending)
      }
    }
  },
  service => service.stop()
)
