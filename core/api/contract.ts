import type { Confinement, Id } from './database/types.ts'

/* The tokens by which plugins know each other. This file and every contract.ts run in browsers, too. */

/** How a change came about: by a request, an agent's tool, an import, a commit, or the server itself. */
export const ORIGINS = ['rest', 'tool', 'import', 'git', 'system'] as const
export type Origin = (typeof ORIGINS)[number]

/** The account or server on whose behalf code runs. Rights follow from it, never from where the code runs. */
export interface Caller {
  readonly workspaceId: Id
  /** Null: the server itself. */
  readonly accountId: Id | null
  /** Null: no token was used. */
  readonly tokenId: Id | null
  readonly scopes: readonly string[]
  /** The origin in the event log; absent: a request. */
  readonly origin?: Origin
  /** The client's name for its session. */
  readonly session?: string
  /** The client's address, for the log; absent: none. */
  readonly address?: string
}
/** The caller of a request. A person has every scope, an agent the scopes that it was granted. */
export interface Principal extends Caller {
  readonly accountId: Id
  readonly tokenId: Id
  readonly kind: 'PERSON' | 'AGENT'
  readonly role: 'ADMIN' | 'MEMBER'
  readonly fullname: string
  readonly confinedTo?: Confinement | undefined
}

/** The author of a change: the account of a request, or the account for which the server acts. */
export type Actor = Caller & { readonly accountId: Id; readonly kind?: Principal['kind'] }

/** The fields of a caller that are constant while its token is valid. */
export type AccountOfCaller = Pick<Caller, 'workspaceId' | 'accountId'>

export interface SignedIn {
  readonly workspaceId: Id
  readonly accountId: Id
}

/** Other functions become `never` and do not compile. A boolean says what the configuration allows. */
type CallerFirst<S> = {
  [M in keyof S]: S[M] extends (...args: never[]) => unknown
    ? Parameters<S[M]> extends [Caller, ...unknown[]]
      ? S[M]
      : never
    : S[M] extends boolean
      ? S[M]
      : S[M] extends object
        ? CallerFirst<S[M]>
        : never
}

export interface Contract<N extends string = string, S extends object = object, T extends object = object> {
  readonly name: N
  /** The further fields of `/health/ready` while the plugin is off, so that monitors find them. */
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

/** A service of the core, which is always there. Plugins write it into `requires`, like a plugin's contract. */
export interface CoreService<N extends string = string, S extends object = object> {
  readonly name: N
  readonly isOfCore: true
  readonly types?: { services: S }
}

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

/** A right of tokens. Contributed to the core's `scopes`, and passed wherever a scope is required. */
export interface Scope {
  readonly name: string
  /** A phrase: the actions that it allows. */
  readonly summary: string
  /** True if new agents get it by default. */
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
  /** Machine-readable and stable: clients branch on it. */
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
/** `problem<{ reasons: string[] }>(409, 'NOT_READY')`, which is contributed to the core's `problems`. */
export const problem = <D extends object = Record<never, never>>(statusCode: number, code: string): Problem<D> =>
  Object.assign((message: string, details?: D) => new ApiError(statusCode, code, message, details), {
    statusCode,
    code
  })

/** Runs background work as a trace of its own. @param name of few values, such as `job webhooks` */
export type Trace = <T>(name: string, work: () => Promise<T>) => Promise<T>
