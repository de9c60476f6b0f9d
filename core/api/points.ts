import type { FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { contract, point, type Caller, type Principal, type Problem, type Scope, type SignedIn } from './contract.ts'
import type { DatabaseHandle, Id, ReadHandle } from './database/types.ts'
import type { EventType } from '../events/contract.ts'
import type { Terminal } from '../cli/terminal.ts'

/** The core's own extension points. */
export const core = contract()('core')

/**
 * The current state of a plugin: the field of `/health/ready` with its name. It is public: it has a state, names and
 * numbers, never a driver's message, an address or a path. When it throws, the state is `down`, the server `degraded`.
 */
export type HealthCheck = () => Promise<{ state: string } & Record<string, string | number | boolean | null>>
export const healthChecks = point<HealthCheck>()(core, 'healthChecks')

/** Adds a plugin's metrics to the registry of one server; called once, before it listens. */
export type Metrics = (registry: Registry) => void
export const metrics = point<Metrics>()(core, 'metrics')

/** Scopes beside the core's: a route, a tool or a service asks for one with the same object. */
export const scopes = point<Scope>()(core, 'scopes')

/** Kinds of errors beside the core's: they are listed in the OpenAPI document, and no two may have the same code. */
export const problems = point<Problem<never>>()(core, 'problems')

/** Types of events, each contributed by the plugin that owns it: what is not here cannot be emitted. */
export const eventTypes = point<EventType>()(core, 'eventTypes')

/** Finds subjects of events by what people call them: the core only knows ids. */
export interface SubjectLookup {
  /** The type of the subjects, as in events. */
  readonly type: string
  /** @param name such as a key @throws 404 */
  find(principal: Principal, db: ReadHandle, name: string): Promise<Id>
}
export const subjectLookups = point<SubjectLookup>()(core, 'subjectLookups')

/**
 * A way to sign in or to authenticate a request, beside access tokens. Its plugin has routes of its own for signing in
 * (`config: { signIn: true }`), which open a session.
 */
export interface LoginMethod {
  /** Whether a person can sign in with it now. A person without any method sets up the first with an access token. */
  isSetUp?(db: DatabaseHandle, account: SignedIn): Promise<boolean>
  /** For the header `WWW-Authenticate`, where the method has one. */
  readonly challenge?: string
  /** @returns undefined when the request has no such credentials. @throws 401 when they are invalid */
  authenticate?(request: FastifyRequest): Promise<Principal | undefined>
}
export const loginMethods = point<LoginMethod>()(core, 'loginMethods')

/** Fields of a caller that do not say who it is, nor what it may do. */
export type HeaderFields = Partial<
  Omit<Caller, 'workspaceId' | 'accountId' | 'tokenId' | 'scopes' | 'origin' | 'address'>
>
/**
 * A header of requests that a plugin reads into fields of the caller, which its contract declares: `declare module …
 * { interface Caller { … } }`. Requests that differ in it are not the same for `Idempotency-Key`.
 */
export interface CallerHeader {
  /** In small letters. */
  readonly name: string
  /** @throws 400 */
  read(value: string): HeaderFields
}
export const callerHeaders = point<CallerHeader>()(core, 'callerHeaders')

/** Tokens that a plugin makes for a subject of its own and confines to it, see `Confinement`. */
export interface ConfinedTokens {
  /** Their name in the descriptions of the routes, such as `the token of a run`. */
  readonly name: string
  /** The message for a request to a route that they may not use. @param route its method and URL */
  refusal(route: string): string
}
export const confinedTokens = point<ConfinedTokens>()(core, 'confinedTokens')

/** Called with the principal of each authenticated request; the request does not wait for it. */
export type RequestListener = (principal: Principal) => void
export const requestListeners = point<RequestListener>()(core, 'requestListeners')

/**
 * @param mustExist whether a database without tables is refused, instead of migrated
 * @returns the exit code of the command, when a server that has the database open has done it
 */
export type OpenDatabase = (mustExist: boolean) => Promise<number | void>
/** Made by `defineCommand`. */
export interface Command {
  name: string
  /** One line for `npm run tracker -- help`. */
  summary: string
  /** Arguments as shown after the name, e.g. `[--email EMAIL]`. */
  usage: string
  /** What `--help` prints. */
  help: string
  /** Whether it works on the database. */
  needsDatabase: boolean
  /**
   * @param openDatabase called when the arguments are right, by a command that works on the database
   * @param terminal where its user is; default: in this process
   * @returns the exit code
   * @throws Error whose message tells the user what to do
   */
  run(args: readonly string[], openDatabase?: OpenDatabase, terminal?: Terminal): Promise<number>
}
/** `npm run tracker -- NAME …` */
export const commands = point<Command>()(core, 'commands')
