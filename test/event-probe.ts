import { Type } from 'typebox'
import { contract, type Caller } from '../core/api/contract.ts'
import { definePlugin, dependsOn, singleton, type ContextOf } from '../core/api/plugin.ts'
import { eventTypes } from '../core/api/points.ts'
import { Closed } from '../core/api/schemas.ts'
import { testServer, type TestOptions, type TestServer } from './runner/harness.ts'
import { eventType, type LoggedEvent } from '../core/events/contract.ts'

const token = contract()('probe')
const dependencies = dependsOn(token)
export const happened = eventType(token, 'thing.happened', {
  summary: 'Something happened to a thing.',
  data: Closed({ n: Type.Integer() })
})
export const ID = '00000000-0000-4000-8000-000000000000'

/** The test's access to the plugin, and the results. */
const makeProbe = (ctx: ContextOf<typeof dependencies>) => {
  const caller = async (): Promise<Caller> => {
    const { id } = await ctx.db.selectFrom('workspace').select('id').orderBy('createdAt').executeTakeFirstOrThrow()
    return ctx.asServer(id)
  }
  return {
    handled: [] as LoggedEvent[],
    batches: [] as number[][],
    /** How often the handling of a number fails. */
    failures: new Map<number, number>(),
    failure: (n: number): Error => new Error(`not number ${n}`),
    rebuilds: 0,
    numbers() {
      return this.handled.map(({ data }) => (data as { n: number }).n)
    },
    async emit(numbers: readonly number[], { roll = false } = {}) {
      const asking = await caller()
      await ctx.transaction(async trx => {
        await ctx.emit(
          trx,
          happened,
          asking,
          numbers.map(n => ({ subjectId: ID, data: { n } }))
        )
        if (roll) throw new Error('rolled back')
      })
    }
  }
}
type Probe = ReturnType<typeof makeProbe>
const probe = singleton('probe', makeProbe)

const emitter = definePlugin(dependencies, {
  summary: 'Emits and handles',
  register(ctx) {
    ctx.contribute(eventTypes, happened)
    ctx.consume('each', {
      events: [happened],
      attempts: 2,
      onGap: {
        async rebuild(ctx) {
          ctx.get(probe).rebuilds++
        }
      },
      async handle(events, ctx) {
        const { failures, failure, handled } = ctx.get(probe)
        for (const { data } of events) {
          const remaining = failures.get(data.n) ?? 0
          if (remaining === 0) continue
          failures.set(data.n, remaining - 1)
          throw failure(data.n)
        }
        handled.push(...events)
      }
    })
    ctx.consume('several', {
      events: 'all',
      batch: 10,
      debounceMs: 300,
      maxQuietWaitMs: 2_000,
      onGap: 'skip',
      async handle(events, ctx) {
        const numbers = events.flatMap(({ type, data }) =>
          type === 'thing.happened' ? [(data as { n: number }).n] : []
        )
        ctx.get(probe).batches.push(numbers)
      }
    })
  },
  routes(_app, ctx) {
    ctx.get(probe)
  }
})

/** A server with a plugin that emits and consumes its own events; its consumers have rebuilt. */
export async function probeServer(options: TestOptions = {}): Promise<TestServer> {
  const also = { probe: async () => ({ default: emitter }) }
  const server = await testServer({ plugins: ['workspace', 'events'], also, ...options })
  if (options.settings?.['jobs'] !== false) await server.idle()
  return server
}
export const probeOf = ({ container }: TestServer) => container.resolve<Probe>('probe/probe')
