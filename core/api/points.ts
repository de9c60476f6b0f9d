import type { FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { contract, point, type Caller, type Principal, type Problem, type Scope, type SignedIn } from './contract.ts'
import type { DatabaseHandle, Id, TransactionHandle } from './database/types.ts'
import type { EventType } from '../events/contract.ts'
import type { Terminal } from '../cli/terminal.ts'

/** The core's own extension points. */
export const core = contract()('core')

/**
 * A plugin's state: the field of `/health/ready` with its name. It is public: states, names and numbers, never a
 * driver's message, an address or a path. If it throws, the plugin is `down` and the server `degraded`.
 */
export type HealthCheck = () => Promise<{ state: string } & Record<string, string | number | boolean | null>>
export const healthChecks = point<HealthCheck>()(core, 'healthChecks')

/** Adds a plugin's metrics to a server's registry; called once, before it listens. */
export type Metrics = (registry: Registry) => void
export const metrics = point<Metrics>()(core, 'metrics')

/** Further scopes: a route, a tool or a service requires one by the same object. */
export const scopes = point<Scope>()(core, 'scopes')

/** Further kinds of errors, for the OpenAPI document; codes are unique. */
export const problems = point<Problem<never>>()(core, 'problems')

/** Types of events, contributed by their owners; other types cannot be emitted. */
export const eventTypes = point<EventType>()(core, 'eventTypes')

/** Reads the cursor after which a page follows the events. One plugin contributes it; without it, no page does. */
export const eventCursors = point<() => Promise<string>>()(core, 'eventCursors')

/**
 * A way to sign in, or to get an access token. Its plugin has routes for signing in (`config: { signIn: true }`), which
 * open a session.
 */
export interface LoginMethod {
  /** True if a person can sign in with it now. A person without any method sets up the first with an access token. */
  isSetUp?(db: DatabaseHandle, account: SignedIn): Promise<boolean>
  /** Parameters of `WWW-Authenticate: Bearer`: how a client of this request gets a token. */
  bearerParameters?(request: FastifyRequest): Readonly<Record<string, string>> | undefined
}
export const loginMethods = point<LoginMethod>()(core, 'loginMethods')

/** Fields of a caller that are neither its identity nor its rights. */
export type HeaderFields = Partial<
  Omit<Caller, 'workspaceId' | 'accountId' | 'tokenId' | 'scopes' | 'origin' | 'address'>
>
/**
 * A header of requests that a plugin reads into fields of the caller, which its contract declares. For
 * `Idempotency-Key`, requests with different values are different. The declaration: `declare module … { interface
 * Caller { … } }`.
 */
export interface CallerHeader {
  /** Lowercase. */
  readonly name: string
  /** @throws 400 */
  read(value: string): HeaderFields
}
export const callerHeaders = point<CallerHeader>()(core, 'callerHeaders')

/** Tokens that a plugin confines to a subject of its own, see `Confinement`. */
export interface ConfinedTokens {
  /** Their name in descriptions of routes: `With NAME: refused.` */
  readonly name: string
  /** The message for a request to a route without a rule. @param route its method and URL */
  refusal(route: string): string
}
export const confinedTokens = point<ConfinedTokens>()(core, 'confinedTokens')

/**
 * Paths of routes for which a plugin makes tokens (`Confinement.audience`). Such a token is accepted there alone, and
 * may use its scopes in the requests that are sent on behalf of that one.
 */
export const tokenAudiences = point<string>()(core, 'tokenAudiences')

/** Hears of each authenticated request of a kind of account. */
export interface RequestListener {
  readonly kind: Principal['kind']
  /** Called with the principal of each authenticated request of this kind; the request does not wait for it. */
  hear(principal: Principal): void
}
export const requestListeners = point<RequestListener>()(core, 'requestListeners')

/** A text that a transaction has stored, and the resource whose readers see it. */
export interface WrittenMarkdown {
  readonly subjectType: string
  readonly subjectId: Id
  readonly markdown: string
}
/** Called in the transaction that has stored texts (`ctx.use.texts.written`). An error undoes the change. */
export type TextListener = (caller: Caller, trx: TransactionHandle, texts: readonly WrittenMarkdown[]) => Promise<void>
export const textListeners = point<TextListener>()(core, 'textListeners')

/** A folder of files beside the database, which never change: backups have them, too. */
export interface BackupFolder {
  readonly name: string
  readonly path: string | undefined
  /** True unless a file is still being written. */
  isComplete(path: string): boolean
}
export const backupFolders = point<BackupFolder>()(core, 'backupFolders')

/**
 * @param mustExist whether a database without tables is refused instead of migrated
 * @returns the exit code of the command, when a server that has the database open has run it
 */
export type OpenDatabase = (mustExist: boolean) => Promise<number | void>
export interface Command {
  name: string
  /** One line for `npm run tracker -- help`. */
  summary: string
  /** Arguments as shown after the name, e.g. `[--email EMAIL]`. */
  usage: string
  help: string
  needsDatabase: boolean
  /**
   * @param openDatabase called after the arguments are validated, by a command that needs the database
   * @param terminal the user's; default: this process
   * @returns the exit code
   * @throws Error whose message tells the user what to do
   */
  run(args: readonly string[], openDatabase?: OpenDatabase, terminal?: Terminal): Promise<number>
}
/** Commands of `npm run tracker -- NAME …`, made by `defineCommand`. */
export const commands = point<Command>()(core, 'commands')

/** A result of `doctor`, in one or two sentences; if it is not well, they say what to do about it. */
export interface Finding {
  readonly isWell: boolean
  readonly says: string
}
export const well = (says: string): Finding => ({ isWell: true, says })
export const wrong = (says: string): Finding => ({ isWell: false, says })
/** Looks at a part of a deployment for the command `doctor`. An error that it throws is a finding, too. */
export interface Examination {
  readonly part: string
  examine(): Promise<readonly Finding[]>
}
export const examinations = point<Examination>()(core, 'examinations')
