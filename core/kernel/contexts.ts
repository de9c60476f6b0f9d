import type { ContextOf, CoreServices, Dependencies, Plugin, RegisterOf } from '../api/plugin.ts'
import type { Contribution, Point } from '../api/contract.ts'
import { databaseTime } from '../db/sql.ts'
import { writesInTransactions } from '../db/transactions/request-transaction.ts'
import type { EventType, LoggedEvent } from '../events/contract.ts'
import type { Kernel } from './kernel.ts'
import { eventTypes, textListeners } from '../api/points.ts'
import { defaultScopes } from '../api/scopes.ts'

type AnyContext = ContextOf<Dependencies>
type AnyRegister = RegisterOf<Dependencies>

/** The services that a plugin requires, made on first use; undefined for optional plugins that are off. */
function servicesOf({ singletons }: Kernel, { requires, services, optional }: Dependencies): AnyContext['use'] {
  const use = {}
  for (const { name } of [...requires, ...services, ...optional]) {
    Object.defineProperty(use, name, {
      get: () => (singletons.has(name) ? singletons.get(name) : undefined),
      enumerable: true
    })
  }
  return use
}

function assertMayEmit(declared: readonly EventType[], plugin: string, type: EventType): void {
  if (type.owner !== plugin && type.owner !== 'core') {
    throw new Error(`${plugin} emits ${type.name}, an event of ${type.owner}`)
  }
  if (!declared.includes(type)) {
    throw new Error(`${plugin} emits ${type.name}, which it has not contributed to eventTypes`)
  }
}

/** Adds the core's services to the singletons, where plugins find them like those of other plugins. */
export function addCoreServices(kernel: Kernel): void {
  const { address, database, events, scopes, sessions, singletons, tokens, movedTime } = kernel
  const declared = kernel.list(eventTypes)
  const listeners = kernel.list(textListeners)
  const services: CoreServices = {
    access: { scopes, defaultScopes: () => defaultScopes(scopes()), principalOf: tokens.principalOfAnyRoute },
    address,
    database: {
      unmanagedDb: database.db,
      inTurn: database.inTurn,
      dataDir: database.dataDir,
      time: () => databaseTime(movedTime()),
      movedTime
    },
    eventLog: {
      emitting({ name }, trx, type, caller, occurred) {
        assertMayEmit(declared(), name, type)
        return events.appending(trx, type, caller, occurred)
      },
      types: declared,
      horizon: events.horizon,
      onMoved: events.onMoved,
      isUpToDate: async ({ name }, consumer) => (await events.lags(`${name}/${consumer}`))[0]?.state === 'up'
    },
    sessions,
    texts: {
      async written(caller, trx, texts) {
        for (const listen of listeners()) await listen(caller, trx, texts)
      }
    }
  }
  for (const [name, service] of Object.entries(services)) singletons.add(name, () => service)
}

export function contextOf(kernel: Kernel, { name, dependencies }: Plugin): AnyContext {
  const { database, events, jobs, points, singletons, now } = kernel
  const declared = kernel.list(eventTypes)
  const ctx: AnyContext = {
    settings: kernel.settingsOf(name),
    log: kernel.logOf(name),
    db: database.db.withPlugin(writesInTransactions),
    use: servicesOf(kernel, dependencies),
    get own() {
      return singletons.get(name)
    },
    now,
    asServer: (workspaceId, accountId) => ({
      workspaceId,
      accountId: accountId ?? null,
      tokenId: null,
      scopes: kernel.scopes().map(scope => scope.name),
      origin: 'system'
    }),
    transaction: kernel.transaction,
    async emit(trx, type, caller, occurred) {
      assertMayEmit(declared(), name, type)
      await events.append(trx, type, caller, occurred)
    },
    async enqueue(when, { name: queue, owner }, payloads, options) {
      if (owner !== name) throw new Error(`${name} enqueues ${queue}, work of ${owner}`)
      await jobs.enqueue(when === 'now' ? database.db : when, queue, payloads, options)
    },
    contributions<T>(point: Point<string, T>): ReadonlyArray<Contribution<T>> {
      if (point.owner !== name) throw new Error(`${name} reads ${point.id}, an extension point of ${point.owner}`)
      return points.read(point)
    },
    get(singleton) {
      const id = `${name}/${singleton.name}`
      if (!singletons.has(id)) singletons.add(id, () => singleton.make(ctx), singleton.stop)
      return singletons.get(id)
    }
  }
  return ctx
}

export function registerOf(kernel: Kernel, { name, dependencies }: Plugin, ctx: AnyContext): AnyRegister {
  const { app, events, jobs, points, startHooks } = kernel
  function assertRegistering(what: string): void {
    if (points.isFrozen()) throw new Error(`${name} declares ${what} after register: declare it in register`)
  }
  return {
    settings: ctx.settings,
    log: ctx.log,
    isOn: other => dependencies.optional.some(plugin => plugin.name === other.name) && kernel.on.has(other.name),
    contribute: (point, item) => points.add(point, name, () => [item]),
    contributeWith: (point, make) => points.add(point, name, () => make(ctx)),
    consume(consumer, { events: types, onGap, handle, ...options }) {
      assertRegistering(consumer)
      events.addConsumer({
        name: `${name}/${consumer}`,
        types: types === 'all' ? undefined : types.map(type => type.name),
        rebuild: onGap === 'skip' ? undefined : () => onGap.rebuild(ctx),
        // The log delivers only events of the consumer's types.
        handle: (logged: ReadonlyArray<LoggedEvent>) => handle(logged as never, ctx),
        ...options
      })
    },
    work(job, options, handler) {
      if (job.owner !== name) throw new Error(`${name} does ${job.name}, work of ${job.owner}`)
      assertRegistering(job.name)
      jobs.addWorker({
        queue: job.name,
        keyed: job.keyed,
        options,
        handler: (payloads, signal) => handler(payloads as never, ctx, signal)
      })
    },
    schedule(job, cron) {
      assertRegistering(job.name)
      jobs.addSchedule(job.name, cron)
    },
    onStart(hook) {
      assertRegistering('onStart')
      startHooks.push(() => hook(ctx))
    },
    onListen(hook) {
      assertRegistering('onListen')
      app.addHook('onListen', async () => hook(ctx))
    }
  }
}
