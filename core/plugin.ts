import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault
} from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Kysely, Transaction } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Static, TObject } from 'typebox'
import type { ShortReads } from './db/short-reads.ts'
import type { CoreTables, Handle, TransactionHandle } from './db/tables.ts'

/*
 * The plugin contract: types and the functions that make its tokens, no behaviour.
 *
 * A plugin starts in four steps, each in dependency order and each over all plugins before the next:
 *   1. its settings are validated                      (nothing is open yet)
 *   2. register(ctx): services and contributions       (no query, no HTTP)
 *   3. routes(app, ctx): HTTP, every contribution of the others is known
 *   4. migrations, then what ctx.onStart collected     (the database is open)
 */

/** A Fastify instance whose route schemas are TypeBox. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What a plugin shows to the others: its name, its services, its tables. At run time only the name is left. */
export interface Contract<N extends string = string, S extends object = object, T extends object = object> {
  readonly name: N
  readonly types?: { services: S; tables: T }
}
/** `contract<Services, Tables>()('name')`: the token that other plugins write into `requires` or `optional`. */
export const contract =
  <S extends object = object, T extends object = object>() =>
  <const N extends string>(name: N): Contract<N, S, T> => ({ name })

/** An extension point: its owner reads what the plugins that are on contribute to it. */
export interface Point<T> {
  readonly id: string
  readonly item?: T
}
/** `point<Item>('owner.things')`, in the owner's contract. */
export const point = <T>(id: string): Point<T> => ({ id })

/** Something that happened. It belongs to its owner's contract. Payloads are JSON. */
export interface Event<P extends object> {
  readonly name: string
  readonly payload?: P
}
/** `event<Payload>('owner.happened')`. */
export const event = <P extends object>(name: string): Event<P> => ({ name })

/** Work that one worker of some replica does after commit, at least once. Payloads are JSON. */
export interface Job<P extends object> {
  readonly name: string
  readonly keyed: boolean
  readonly payload?: P
}
/** `job<Payload>('owner.work')`. Of a keyed job, only one waits for each `key` that it is enqueued with. */
export const job = <P extends object>(name: string, { keyed = false } = {}): Job<P> => ({ name, keyed })

export interface WorkOptions {
  /** Most payloads that one call of the handler gets. Default 1. */
  batch?: number
  /** Calls of the handler at once, per replica. Default 1. */
  concurrency?: number
  /** Attempts after the first; the wait between them grows. Default 5. */
  retries?: number
  /** Seconds after which a handler counts as dead and the job is tried again. Default 900. */
  expireSeconds?: number
  /** A worker without a sign of life for so many seconds (at least 10) counts as dead. Default 20. */
  heartbeatSeconds?: number
  /** Seconds between looks into an idle queue. Default 1. */
  pollSeconds?: number
  /** Seconds in which more may come before the first is handled; a look into the queue ends them. Default 0. */
  gatherSeconds?: number
  /** Most seconds that a batch which is not full waits for a moment in which this process asks for no more of the work. Default 0. */
  patienceSeconds?: number
}
export interface EnqueueOptions {
  /** Of a keyed job: what is the same work. */
  key?: string
  /** Seconds from now before which it does not run. */
  delaySeconds?: number
}

type AnyContract = Contract<any, any, any> // eslint-disable-line -- erased: matches every contract
type ServicesOf<C> = C extends Contract<string, infer S, object> ? S : never
type NameOf<C> = C extends Contract<infer N, object, object> ? N : never
type TablesOf<C> = C extends Contract<string, object, infer T> ? T : never
type Intersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : object
type Uses<R extends readonly AnyContract[], O extends readonly AnyContract[]> = {
  readonly [C in R[number] as NameOf<C>]: ServicesOf<C>
} & { readonly [C in O[number] as NameOf<C>]?: ServicesOf<C> }

/** The tables a plugin sees: the core's, its own, and those of the plugins that it requires. */
export type TablesFor<C extends AnyContract, R extends readonly AnyContract[]> = CoreTables &
  TablesOf<C> &
  Intersection<TablesOf<R[number]>>

/** What the kernel hands to a plugin. */
export interface Context<C extends AnyContract, R extends readonly AnyContract[], O extends readonly AnyContract[], K> {
  readonly config: K
  readonly log: FastifyBaseLogger
  /** Outside a transaction. Embedded there is one connection: inside `transaction` use only `trx`, or it waits for itself. */
  readonly db: Kysely<TablesFor<C, R>>
  /**
   * For a single statement that an index answers with few rows. On PostgreSQL such statements share a few connections
   * and wait for those before them, so everything slower goes through `db`, as does what writes: here it is refused.
   */
  readonly shortReads: ShortReads<TablesFor<C, R>>
  /** The services of the plugins declared in `requires`, and, possibly undefined, in `optional`. */
  readonly use: Uses<R, O>
  /** Where this server is reached from its own machine, e.g. `http://127.0.0.1:3000`; known once it listens. */
  origin(): string
  /** The time. Tests move it. */
  now(): Date
  /** Runs `work` in one transaction; on a deadlock or serialisation failure, again (up to 5 times). */
  transaction<T>(work: (trx: Transaction<TablesFor<C, R>>) => Promise<T>): Promise<T>
  contribute<T>(to: Point<T>, item: T): void
  contributions<T>(to: Point<T>): readonly T[]
  /** Emits inside the writing transaction: each handler runs as a job after commit, or never if it rolls back. */
  emit<P extends object>(trx: TransactionHandle, event: Event<P>, payloads: readonly P[]): Promise<void>
  /** Handles an event as a job: at least once, on any replica, `batch` payloads at most in one call. */
  on<P extends object>(event: Event<P>, options: WorkOptions, handler: (payloads: P[]) => Promise<void>): void
  /** Puts work into a queue, inside a transaction or, with `ctx.db`, at once. */
  enqueue<P extends object>(db: Handle, job: Job<P>, payloads: readonly P[], options?: EnqueueOptions): Promise<void>
  /** Does the work of a queue. `signal` aborts when the server stops or the job expires. */
  work<P extends object>(
    job: Job<P>,
    options: WorkOptions,
    handler: (payloads: P[], signal: AbortSignal) => Promise<void>
  ): void
  /** Enqueues an empty payload by cron (UTC): once per tick, whatever the number of replicas. */
  schedule(job: Job<Record<string, never>>, cron: string): void
  /** Runs after all migrations, before the server listens. */
  onStart(hook: () => Promise<void>): void
  /** Runs once the server listens: what nobody has to wait for, and what a command has no use for. */
  onListen(hook: () => void): void
  /** Runs when the server stops, in reverse order of start, before the database closes. */
  onClose(hook: () => Promise<void>): void
}

export interface PluginSpec<
  C extends AnyContract,
  R extends readonly AnyContract[],
  O extends readonly AnyContract[],
  K extends TObject
> {
  contract: C
  /** One sentence: it stands in the table of plugins. */
  summary: string
  /** Plugins without which this one cannot start. */
  requires?: R
  /** Plugins that it uses when they are on. */
  optional?: O
  /** The schema of `plugins.<name>` beside `enabled`. Unknown keys stop the start. */
  config?: K
  /** Environment variables with names of their own: variable -> key of `config`. */
  env?: Record<string, keyof Static<K> & string>
  /** Migrations by name, run in the order of their names, once. */
  migrations?: () => Promise<Record<string, Migration>>
  /** Returns the plugin's public services. No queries, no HTTP. */
  register(ctx: Context<C, R, O, Static<K>>): ServicesOf<C>
  /** Adds HTTP routes, encapsulated: hooks and decorators stay inside. */
  routes?(app: App, ctx: Context<C, R, O, Static<K>>): void | Promise<void>
}
type AnySpec = PluginSpec<AnyContract, readonly AnyContract[], readonly AnyContract[], TObject>
/** A plugin as the kernel sees it: its types are erased. */
export interface Plugin {
  readonly name: string
  readonly spec: AnySpec
}

/** Defines a plugin; all types inside follow from the tokens in `contract`, `requires` and `optional`. */
export function definePlugin<
  C extends AnyContract,
  const R extends readonly AnyContract[] = [],
  const O extends readonly AnyContract[] = [],
  K extends TObject = TObject<Record<never, never>>
>(spec: PluginSpec<C, R, O, K>): Plugin {
  return { name: spec.contract.name, spec: spec as unknown as AnySpec }
}
/** The context type of a plugin, for its own files: `type Ctx = ContextOf<typeof issues, [typeof workspace], []>`. */
export type ContextOf<
  C extends AnyContract,
  R extends readonly AnyContract[] = [],
  O extends readonly AnyContract[] = [],
  K = unknown
> = Context<C, R, O, K>
