import type { Confinement, Id } from './database/types.ts'

/*
 * Tokens: what plugins know about each other. At run time a token is little more than a name; its types exist only in
 * the compiler. This file and every plugin's contract.ts load in a browser, too: nothing here needs Node.
 */

/** How a change came about: by a request, an agent's tool, an import, a commit, or the server itself. */
export const ORIGINS = ['rest', 'tool', 'import', 'git', 'system'] as const
export type Origin = (typeof ORIGINS)[number]

/**
 * On whose behalf something is done: the account of a request, or the server itself in a job, an import or a command.
 * Every service takes it first: what may be done follows from the caller, never from where the code runs.
 */
export interface Caller {
  readonly workspaceId: Id
  /** Null: the server itself. */
  readonly accountId: Id | null
  /** Null: it was not done with a token. */
  readonly tokenId: Id | null
  /** The names of the scopes: what may be done. */
  readonly scopes: readonly string[]
  /** How it came about, for the event log; absent: by a request. */
  readonly origin?: Origin
  /** What the client calls its session. */
  readonly session?: string
  /** The address of the client, for the log; absent: there is none. */
  readonly address?: string
}
/** The caller of a request. A person has every scope, an agent those that it was granted. */
export interface Principal extends Caller {
  readonly accountId: Id
  readonly tokenId: Id
  readonly kind: 'PERSON' | 'AGENT'
  readonly role: 'ADMIN' | 'MEMBER'
  readonly fullname: string
  /** What the token is confined to; undefined: it may do what its account may. */
  readonly confinedTo?: Confinement | undefined
}

/** Who makes a change: the account of a request, or the account for which the server acts. */
export type Actor = Caller & { readonly accountId: Id; readonly kind?: Principal['kind'] }

/** The fields of a caller that never change as long as its token is valid. */
export type AccountOfCaller = Pick<Caller, 'workspaceId' | 'accountId'>

/** The account of somebody who signs in. */
export interface SignedIn {
  readonly workspaceId: Id
  readonly accountId: Id
}

/** Services whose functions all take the caller first; any other function becomes `never` and does not compile. */
type CallerFirst<S> = {
  [M in keyof S]: S[M] extends (...args: never[]) => unknown
    ? Parameters<S[M]> extends [Caller, ...unknown[]]
      ? S[M]
      : never
    : S[M] extends object
      ? CallerFirst<S[M]>
      : never
}

/** What a plugin offers to others: its name, its services and its tables. */
export interface Contract<N extends string = string, S extends object = object, T extends object = object> {
  readonly name: N
  /** The fields of `/health/ready` beside `state: 'off'` while the plugin is off, so that monitors find them. */
  readonly healthWhenOff: object
  readonly types?: { services: S; tables: T }
}
/** `contract<Services, Tables>()('name')`: the token that other plugins write into `requires` or `optional`. */
export const contract =
  <S extends CallerFirst<S> & object = object, T extends object = object>() =>
  <const N extends string>(name: N, { healthWhenOff = {} }: { healthWhenOff?: object } = {}): Contract<N, S, T> => ({
    name,
    healthWhenOff
  })

/** An extension point: every plugin may contribute to it, only the plugin `O` reads it. */
export interface Point<O extends string, T> {
  readonly owner: O
  readonly id: string
  readonly types?: T
}
/** `point<Item>()(owner, 'things')`, in the owner's contract. */
export const point =
  <T>() =>
  <const O extends string>({ name }: Contract<O>, things: string): Point<O, T> => ({
    owner: name,
    id: `${name}.${things}`
  })
/** A contribution, and the name of the plugin that made it. */
export interface Contribution<T> {
  readonly from: string
  readonly item: T
}

/** Work of the plugin `O` that one worker of some replica does after the commit, at least once. Payloads are JSON. */
export interface Job<O extends string, P extends object> {
  readonly owner: O
  readonly name: string
  readonly keyed: boolean
  readonly types?: P
}
/** `job<Payload>()(owner, 'work')`. Of a keyed job, at most one waits for each `key`. */
export const job =
  <P extends object>() =>
  <const O extends string>({ name }: Contract<O>, work: string, { keyed = false } = {}): Job<O, P> => ({
    owner: name,
    name: `${name}.${work}`,
    keyed
  })

/** What a token may be allowed to do. Contributed to the core's `scopes`, and passed wherever a scope is required. */
export interface Scope {
  readonly name: string
  /** What it allows. */
  readonly summary: string
  /** Whether a new agent gets it unless other scopes are asked for. */
  readonly isDefault: boolean
}
/** `scope('read', 'See everything in the workspace')`. */
export const scope = (name: string, summary: string, { isDefault = false } = {}): Scope => ({
  name,
  summary,
  isDefault
})

/** An error that its reader can act on: one sentence with what was wrong and how to correct it. */
export class ApiError extends Error {
  readonly statusCode: number
  /** Stable and machine-readable: clients branch on it. */
  readonly code: string
  /** Further fields of the body, such as `requiredScope` or `reasons`. */
  readonly details: object
  readonly headers: Record<string, string>

  constructor(
    statusCode: number,
    code: string,
    message: string,
    details: object = {},
    headers: Record<string, string> = {}
  ) {
    super(message)
    this.statusCode = statusCode
    this.code = code
    this.details = details
    this.headers = headers
  }
}

/** A kind of error: its status, its code, and the type of the fields that come with it. Calling it makes the error. */
export interface Problem<D extends object = object> {
  readonly statusCode: number
  readonly code: string
  (message: string, ...details: Record<never, never> extends D ? [details?: D] : [details: D]): ApiError
}
/**
 * `const notReady = problem<{ reasons: string[] }>(409, 'NOT_READY')`: contributed to the core's `problems`, and
 * thrown: `throw notReady('…', { reasons })`.
 */
export const problem = <D extends object = Record<never, never>>(statusCode: number, code: string): Problem<D> =>
  Object.assign((message: string, details?: D) => new ApiError(statusCode, code, message, details), {
    statusCode,
    code
  })
