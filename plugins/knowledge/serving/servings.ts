import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { Counter, Gauge } from 'prom-client'
import type { Principal } from '../../../core/api/contract.ts'
import type { Id } from '../../../core/api/database/types.ts'
import { forbidden } from '../../../core/api/errors.ts'
import { newId } from '../../../core/api/database/queries.ts'
import { singleton } from '../../../core/api/plugin.ts'
import type { HealthCheck, Metrics } from '../../../core/api/points.ts'
import { validSession } from '../../../core/api/accounts.ts'
import type { Ctx, UnmanagedDb } from '../context.ts'
import { insertServings, type Serving } from '../queries/servings.ts'

/** An answer waits so long at most until its servings are stored. */
const MAX_WAIT_MS = 2_000
/** Further ones are dropped and logged. */
const MAX_WAITING = 10_000
const RETRY_AFTER_MS = 1_000

export interface Served {
  requestId: string
  session?: string | undefined
  issueId?: Id | undefined
}
/**
 * @param record false: a person reads, which does not count as a serving
 * @throws 403 when an agent sends false: everything that agents are served is recorded
 */
export function servedBy({ id, headers, principal }: FastifyRequest, record: boolean): Served | undefined {
  if (record) return { requestId: id, session: validSession(headers['x-tracker-session']) }
  if (principal.kind === 'PERSON') return undefined
  throw forbidden('Reads of agents are recorded: only people may send record=false.')
}

export interface Servings {
  /**
   * Records that the answer to a request has these entries, before the answer is sent, in one statement that does not
   * wait for the disk; a slow or unavailable database delays the answer by at most `MAX_WAIT_MS`, and never fails it.
   * Ids are made once: written again after a lost answer, a serving still counts once.
   * @param served undefined: nothing is recorded
   */
  record(
    caller: Pick<Principal, 'workspaceId' | 'tokenId'>,
    served: Served | undefined,
    entryIds: readonly Id[]
  ): Promise<void>
  count(): { waiting: number; recorded: number }
  /** Writes the waiting ones. */
  close(): Promise<void>
}

/** True if a foreign key refused them: their workspace has been removed meanwhile. */
const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23503'

function makeServings(db: UnmanagedDb, log: FastifyBaseLogger, now: () => Date): Servings {
  const waiting = new Set<Serving>()
  let retrying: Promise<void> | undefined
  let closing = false
  let recorded = 0

  async function write(servings: readonly Serving[]): Promise<void> {
    await insertServings(db, servings)
    recorded += servings.length
  }

  function keep(servings: readonly Serving[], error: unknown): void {
    if (isGone(error)) return
    log.warn(
      { err: error, servings: servings.length },
      waiting.size < MAX_WAITING ? 'servings of knowledge are written later' : 'servings of knowledge are lost'
    )
    if (waiting.size < MAX_WAITING) for (const serving of servings) waiting.add(serving)
    retrying ??= retry().finally(() => {
      retrying = undefined
    })
  }

  async function retry(): Promise<void> {
    while (waiting.size > 0) {
      await sleep(RETRY_AFTER_MS, undefined, { ref: false })
      if (closing) return
      await drain()
    }
  }
  async function drain(): Promise<void> {
    for (const servings of Map.groupBy(waiting, ({ workspaceId }) => workspaceId).values()) {
      const isDone = await write(servings).then(() => true, isGone)
      if (isDone) servings.forEach(serving => waiting.delete(serving))
    }
  }

  const underWay = new Set<Promise<void>>()
  return {
    async record({ workspaceId, tokenId }, served, entryIds) {
      if (served === undefined || entryIds.length === 0) return
      const { requestId, session = null, issueId = null } = served
      const common = { workspaceId, tokenId, issueId, session, requestId, at: now() }
      const servings = entryIds.map(entryId => ({ ...common, id: newId(), entryId }))
      const written = write(servings)
        .catch((error: unknown) => keep(servings, error))
        .finally(() => underWay.delete(written))
      underWay.add(written)
      await Promise.race([written, sleep(MAX_WAIT_MS, undefined, { ref: false })])
    },
    count: () => ({ waiting: waiting.size, recorded }),
    async close() {
      closing = true
      await Promise.all(underWay)
      await drain()
    }
  }
}

export const servings = singleton(
  'servings',
  ({ log, now, use }: Ctx) => makeServings(use.database.unmanagedDb, log, now),
  servings => servings.close()
)

export async function servingsHealth(ctx: Ctx): ReturnType<HealthCheck> {
  const { waiting } = ctx.get(servings).count()
  return { state: waiting === 0 ? 'up' : 'behind', servingsWaiting: waiting }
}

export const servingsMetrics =
  (ctx: Ctx): Metrics =>
  registry => {
    registry.registerMetric(
      new Gauge({
        name: 'tracker_knowledge_servings_waiting',
        help: 'Servings of this process that wait to be recorded',
        registers: [],
        collect() {
          this.set(ctx.get(servings).count().waiting)
        }
      })
    )
    registry.registerMetric(
      new Counter({
        name: 'tracker_knowledge_servings_recorded_total',
        help: 'Servings that this process recorded',
        registers: [],
        collect() {
          this.reset()
          this.inc(ctx.get(servings).count().recorded)
        }
      })
    )
  }
