import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault
} from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Kysely, RawBuilder, Transaction } from 'kysely'
import { Type, type Static, type TObject } from 'typebox'
import type { Caller, Contract, Contribution, CoreService, Job, Point, Principal, Scope } from './contract.ts'
import type { Database } from '../db/database.ts'
import type { Migrations } from '../db/migrate/migrate.ts'
import type { Placement, Placements } from '../db/citus/placement.ts'
import type { CoreTables, Id, Reader, TransactionHandle, UnmanagedHandle } from './database/types.ts'
import type { Audience, Consumer, EventInStatement, EventType, NewEvent } from '../events/contract.ts'
import type { Horizon } from '../events/horizon.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { TextListener } from './points.ts'

/*
 * How a plugin is defined: types, and the functions that make its parts.
 * A server starts in phases, each for all plugins in the order of their dependencies:
 *   1. settings   are validated                                             (nothing is open yet)
 *   2. register   contributions, consumers of events, work, schedules        (no query, no service, no HTTP)
 *   3. services   the services for other plugins; extension points are frozen, and readable by their owners
 *   4. routes     HTTP
 *   5. start      migrations, then the plugins' `onStart`, then background work; then the server listens
 * The type of a phase's context has only the members of that phase; the others throw.
 */

/** A Fastify instance whose route schemas are TypeBox. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

export interface Dependencies<
  C extends Contract = Contract,
  R extends Contract = Contract,
  O extends Contract = Contract,
  K = unknown,
  S extends CoreService = CoreService
> {
  readonly contract: C
  readonly requires: readonly R[]
  readonly services: readonly S[]
  readonly optional: readonly O[]
  readonly settings: TObject
  readonly types?: K
}
/**
 * Once, in the plugin's context.ts.
 * @param options.requires plugins without which it cannot start, and services of the core
 * @param options.optional plugins that it uses when they are on
 * @param options.settings the schema of `plugins.<name>` beside `enabled`; unknown keys stop the start
 */
export function dependsOn<
  C extends Contract,
  R extends Contract | CoreService = never,
  O extends Contract = never,
  K extends TObject = TObject<Record<never, never>>
>(
  contract: C,
  { requires = [], optional = [], settings }: { requires?: readonly R[]; optional?: readonly O[]; settings?: K } = {}
): Dependencies<C, Extract<R, Contract>, O, Static<K>, Extract<R, CoreService>> {
  return {
    contract,
    requires: requires.filter((required): required is Extract<R, Contract> => !('isOfCore' in required)),
    services: requires.filter((required): required is Extract<R, CoreService> => 'isOfCore' in required),
    optional,
    settings: settings ?? Type.Object({})
  }
}

type NameOf<C> = C extends Contract<infer N> | CoreService<infer N> ? N : never
type ServicesOf<C> = C extends Contract<string, infer S> | CoreService<string, infer S> ? S : never
type OwnTables<C> = C extends Contract<string, object, infer T> ? T : never
type Intersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : object
type OwnName<D extends Dependencies> = NameOf<D['contract']>
type SettingsOf<D extends Dependencies> = NonNullable<D['types']>
type Uses<D extends Dependencies> = {
  readonly [C in D['requires' | 'services'][number] as NameOf<C>]: ServicesOf<C>
} & { readonly [C in D['optional'][number] as NameOf<C>]?: ServicesOf<C> }

/** The tables that a plugin sees: the core's, its own, and those of required plugins. */
export type TablesOf<D extends Dependencies> = CoreTables &
  OwnTables<D['contract']> &
  Intersection<OwnTables<D['requires'][number]>>
export type DbOf<D extends Dependencies> = Reader<TablesOf<D>>
export type TrxOf<D extends Dependencies> = Transaction<TablesOf<D>>
/** The `unmanagedDb` of the core's service `database`, with the tables that a plugin sees. */
export type UnmanagedDbOf<D extends Dependencies> = Kysely<TablesOf<D>>

/** The services of the core: a plugin with `requires: [address]` has `ctx.use.address`. */
export interface CoreServices {
  access: {
    /** All scopes: the core's and those of the enabled plugins. */
    scopes(): readonly Scope[]
    /** The names of the scopes of agents that have none of their own. */
    defaultScopes(): string[]
    /** The principal of an access token; undefined: it is unknown, revoked, expired or for one route only. */
    principalOf(token: string): Promise<Principal | undefined>
  }
  address: {
    /** The server's own address, e.g. `http://127.0.0.1:3000`; known once it listens. */
    origin(): string
    /** The setting `publicUrl`, where browsers reach this server; undefined: they use the host that they name. */
    readonly publicUrl: string | undefined
    /** The proxy prefix of links, assets and paths; often empty. */
    readonly prefix: string
  }
  database: Pick<Database, 'inTurn' | 'dataDir'> & {
    /**
     * Without `Idempotency-Key`, retry and events: for transactions of another kind, such as a snapshot, and for writes
     * that a repeated request repeats.
     */
    readonly unmanagedDb: UnmanagedHandle
    /** SQL: the time of the database's clock, or the one that a test has set. */
    time(): RawBuilder<Date>
    /** For compiled statements: the time that a test has set; null: none. See `databaseTime`. */
    movedTime(): Date | null
  }
  eventLog: {
    /** Like `ctx.emit`, without a round trip: SQL that follows a change in `writeTogether`. @param owner who emits */
    emitting<O extends string, P extends object, A extends Audience>(
      owner: Contract<O>,
      trx: TransactionHandle,
      type: EventType<NoInfer<O> | 'core', string, P, A>,
      caller: Caller,
      events: EventInStatement<NoInfer<P>> | ReadonlyArray<NewEvent<NoInfer<P>, NoInfer<A>>>
    ): Promise<RawBuilder<unknown>>
    /** All types of events: the core's and those of the enabled plugins. */
    types(): readonly EventType[]
    /** The part of the log that no transaction can still append to. */
    readonly horizon: Horizon
    /** Calls `follow` whenever the horizon has moved. @returns a function that ends that */
    onMoved(follow: () => void): () => void
    /** False while a consumer of a plugin rebuilds, fails, or is more than a minute behind. */
    isUpToDate(owner: Contract, consumer: string): Promise<boolean>
  }
  /** Sessions of browsers, for plugins that sign people in. */
  sessions: Sessions
  texts: {
    /** Tells other plugins about texts that the transaction has stored, which may name things of theirs. */
    written: TextListener
  }
}
const service = <N extends keyof CoreServices>(name: N): CoreService<N, CoreServices[N]> => ({ name, isOfCore: true })
export const access = service('access')
export const address = service('address')
export const database = service('database')
export const eventLog = service('eventLog')
export const sessions = service('sessions')
export const texts = service('texts')

/** Names that no plugin can have, beside those of the core's services: `core`, and fields of `/health/ready`. */
export const RESERVED_NAMES: readonly string[] = ['core', 'jobs', 'migrations', 'status', 'version']

export interface WorkOptions {
  /** Concurrent calls of the handler, per replica. Default 1. */
  concurrency?: number
  /** Maximum concurrent calls for payloads with the same `workspaceId`, over all replicas. Default: no limit. */
  workspaceConcurrency?: number
  /** Attempts after the first, with growing delays. Default 5. */
  retries?: number
  /** Seconds after which a handler counts as dead and the job is retried. Default 900. */
  expireSeconds?: number
  /** Seconds without a heartbeat (at least 10) after which a worker counts as dead. Default 20. */
  heartbeatSeconds?: number
}
export interface EnqueueOptions {
  /** For a keyed job: at most one job with the same key waits at a time. */
  key?: string
  /** Seconds from now until the job may run. */
  delaySeconds?: number
}

/** Something that a plugin has once per server: made on first use, and stopped when the server stops. */
export interface Singleton<Ctx, T extends object> {
  readonly name: string
  make(ctx: Ctx): T
  stop?(instance: T): Promise<void> | void
}
/**
 * `singleton('worker', (ctx: Ctx) => makeWorker(ctx), worker => worker.stop())`; `ctx.get(worker)` is this server's
 * instance. Stopped in the reverse order of creation. Tests replace it: `fakes: { 'plugin/worker': … }`.
 */
export const singleton = <Ctx, T extends object>(
  name: string,
  make: (ctx: Ctx) => T,
  stop?: (instance: T) => Promise<void> | void
): Singleton<Ctx, T> => ({ name, make, ...(stop && { stop }) })

/** The context of a plugin from the phase `services` on. */
export interface ContextOf<D extends Dependencies> {
  readonly settings: SettingsOf<D>
  readonly log: FastifyBaseLogger
  /**
   * For reading: writes go through `transaction`, and do not compile here. Inside `transaction` use only `trx`: the
   * embedded database has one connection, and would deadlock.
   */
  readonly db: DbOf<D>
  /** The services in `requires`, of plugins and of the core, and, or undefined, those of the plugins in `optional`. */
  readonly use: Uses<D>
  /** The plugin's own services. */
  readonly own: ServicesOf<D['contract']>
  /** The current time; tests set it. */
  now(): Date
  /** The server as a caller with every scope, for jobs, imports and commands; on behalf of an account if given. */
  asServer(workspaceId: Id, accountId?: Id): Caller
  /** Runs `work` in a transaction; on a deadlock or serialisation failure it retries, up to 5 times. */
  transaction<T>(work: (trx: TrxOf<D>) => Promise<T>): Promise<T>
  /**
   * Appends events in the writing transaction, which must be one of `transaction`: consumers and clients get them after
   * its commit. Lock the subjects' rows before, unless they are new.
   */
  emit<P extends object, A extends Audience>(
    trx: TransactionHandle,
    type: EventType<OwnName<D> | 'core', string, P, A>,
    caller: Caller,
    events: ReadonlyArray<NewEvent<NoInfer<P>, NoInfer<A>>>
  ): Promise<void>
  /** Enqueues work: at the transaction's commit, or now. */
  enqueue<P extends object>(
    when: TransactionHandle | 'now',
    job: Job<OwnName<D>, P>,
    payloads: readonly P[],
    options?: EnqueueOptions
  ): Promise<void>
  /** The contributions of the enabled plugins to a point of this plugin, in their order of start. */
  contributions<T>(point: Point<OwnName<D>, T>): ReadonlyArray<Contribution<T>>
  /** This server's instance of a singleton; made on first use. */
  get<T extends object>(singleton: Singleton<ContextOf<D>, T>): T
}

/** The context of the phase `register`: declarations only. */
export interface RegisterOf<D extends Dependencies> {
  readonly settings: SettingsOf<D>
  readonly log: FastifyBaseLogger
  isOn(plugin: D['optional'][number]): boolean
  contribute<T>(point: Point<string, T>, item: NoInfer<T>): void
  /** For values that need the context; made when the owner first reads the point. */
  contributeWith<T>(point: Point<string, T>, make: (ctx: ContextOf<D>) => ReadonlyArray<NoInfer<T>>): void
  /** Consumes the event log with a cursor of that name. */
  consume<const E extends readonly EventType[] | 'all'>(name: string, consumer: Consumer<E, ContextOf<D>>): void
  /** Handles the jobs of a queue. `signal` aborts when the server stops or the job expires. */
  work<P extends object>(
    job: Job<OwnName<D>, P>,
    options: WorkOptions,
    handler: (payloads: P[], ctx: ContextOf<D>, signal: AbortSignal) => Promise<void>
  ): void
  /** Enqueues an empty payload by cron (UTC): once per tick, over all replicas. */
  schedule(job: Job<OwnName<D>, Record<string, never>>, cron: string): void
  /** Runs after all migrations, before the server listens. */
  onStart(hook: (ctx: ContextOf<D>) => Promise<void>): void
  /** Runs once the server listens (not in commands): for work that the start need not wait for. */
  onListen(hook: (ctx: ContextOf<D>) => Promise<void> | void): void
}

interface Parts<D extends Dependencies> {
  /** One sentence, for the table of plugins. */
  summary: string
  /** Environment variables with names of their own: variable -> key of the settings. */
  env?: Record<string, keyof SettingsOf<D> & string>
  /** True if the server requires the setting `publicUrl`, unless it listens on this machine only. */
  needsPublicUrl?: boolean
  /** TRACKER_ variables for its child processes, ignored in the server's own environment. */
  childEnv?: readonly string[]
  /** Migrations by name, run once, in the order of their names; imported only to be run. */
  migrations?: Migrations
  register?(ctx: RegisterOf<D>): void
  /** Adds HTTP routes, encapsulated: hooks and decorators stay inside. */
  routes?(app: App, ctx: ContextOf<D>): void | Promise<void>
}
type ServicesPart<D extends Dependencies, S> = object extends S
  ? { services?: (ctx: ContextOf<D>) => S }
  : { services: (ctx: ContextOf<D>) => S }
type TablesPart<T> = keyof T extends never ? { tables?: Record<never, never> } : { tables: Placements<T> }
type PluginSpec<D extends Dependencies> = Parts<D> &
  ServicesPart<D, ServicesOf<D['contract']>> &
  TablesPart<OwnTables<D['contract']>>

/** A plugin as the kernel sees it, without its types. */
export interface Plugin {
  readonly name: string
  readonly dependencies: Dependencies
  readonly spec: Parts<Dependencies> & {
    services?: (ctx: ContextOf<Dependencies>) => object
    tables?: Readonly<Record<string, Placement>>
  }
}
/** Defines a plugin; the types inside follow from its dependencies. */
export function definePlugin<D extends Dependencies>(dependencies: D, spec: PluginSpec<D>): Plugin {
  return { name: dependencies.contract.name, dependencies, spec: spec as unknown as Plugin['spec'] }
}
