import type { ColumnType, Generated, Kysely, Transaction, RawBuilder } from 'kysely'

export type Id = string
/** Milliseconds precision, as in the API. */
export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
export type Moment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

/** A token's subject, and the plugin that made the token. Further fields: `declare module … { interface … }`. */
export interface Confinement {
  readonly plugin: string
  readonly subjectId: Id
  /** The path of the one route that accepts the token, while its plugin is on; absent: the routes with a rule. */
  readonly audience?: string
  /** The scopes of the token, as far as its account has them; absent: all that its account has. */
  readonly scopes?: readonly string[]
}

/** The core's tables, which every plugin sees. In SQL the names are snake_case. */
export interface CoreTables {
  workspace: { id: Id; name: string; createdAt: Timestamp }
  /** A person or an agent. A removed account keeps its row, for its history and its name. */
  account: {
    workspaceId: Id
    id: Id
    kind: ColumnType<'PERSON' | 'AGENT', 'PERSON' | 'AGENT', never>
    fullname: string
    email: string | null
    role: 'ADMIN' | 'MEMBER'
    /** Agents only; null is an agent that predates scopes (read and write). */
    scopes: string[] | null
    createdById: Id | null
    createdAt: Timestamp
    deletedAt: Moment
  }
  /** An access token; only its SHA-256 is stored. */
  token: {
    workspaceId: Id
    id: Id
    accountId: Id
    name: string
    /** A session's secret is in a browser's cookie, and is not accepted as an access token. */
    kind: ColumnType<'ACCESS' | 'SESSION', 'ACCESS' | 'SESSION' | undefined, never>
    hash: Uint8Array
    createdAt: Timestamp
    lastUsedAt: Moment
    expiresAt: Moment
    revokedAt: Moment
    confinedTo: ColumnType<Confinement | null, string | null | undefined, never>
  }
  /** A browser, an address or a network from which an account has signed in; only its SHA-256 is kept. */
  signInPlace: { workspaceId: Id; accountId: Id; place: Uint8Array; expiresAt: Timestamp }
  /** The event log, see core/events/contract.ts: rows are appended, and removed from the old end. */
  event: {
    workspaceId: Id
    partition: Generated<number>
    position: Generated<number>
    id: Id
    type: string
    at: Timestamp
    actorId: Id | null
    tokenId: Id | null
    subjectType: string
    subjectId: Id
    subjectKey: string | null
    /** The subject's parent. The column keeps its name: release 0.2.0 runs beside. */
    issueId: Id | null
    rev: number | null
    origin: string
    audience: 'workspace' | 'admin' | 'account'
    accountId: Id | null
    data: ColumnType<object, string, never>
  }
  eventPartition: { partition: number; removedTo: number }
  /** A consumer's position in a partition, and the process that holds its lease. */
  eventConsumer: {
    name: string
    partition: number
    position: number
    attempts: Generated<number>
    /** Processes that ended while they ran the consumer, since it last handled the events after the position. */
    crashes: Generated<number>
    /** Events that are being handled after such a crash; 0: none. */
    handling: Generated<number>
    needsRebuild: boolean
    leasedBy: string | null
    leasedUntil: Timestamp
  }
  /** A job that may have crashed processes, by its queue and a hash of its payload. */
  jobCrash: {
    job: string
    ends: number
    at: Timestamp
  }
  eventDeadLetter: {
    workspaceId: Id
    id: Id
    consumer: string
    eventId: Id
    event: ColumnType<object, string, never>
    attempts: number
    reason: string
    at: Timestamp
  }
  /** The `Idempotency-Key` of a successful request, and the answer. */
  idempotencyKey: {
    workspaceId: Id
    tokenId: Id
    key: string
    /** SHA-256 of the fields that make two requests equal. */
    fingerprint: Uint8Array
    /** Null, like headers and body, only inside the transaction that does the work. */
    status: number | null
    headers: ColumnType<Record<string, string> | null, string | null | undefined, string | null>
    body: string | null
    createdAt: Timestamp
  }
}

/** The type of `ctx.db`. Only a transaction writes: with a request's answer for its `Idempotency-Key`. */
export type Reader<DB> = Pick<
  Kysely<DB>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'executeQuery' | 'getExecutor' | 'fn'
>

/** A reader of any tables, because Kysely is invariant in them. Assign it to a typed constant before using it. */
export type DatabaseHandle = Reader<any> // eslint-disable-line -- the one place where the tables are unknown
export type TransactionHandle = Transaction<any> // eslint-disable-line -- as above
export type UnmanagedHandle = Kysely<any> // eslint-disable-line -- as above

/** Each subquery has the condition itself: only then does Citus route a statement to one node. */
export type WorkspaceId = Id | RawBuilder<Id>

/** A statement reads all lists in the short form, at half the cost; if one exceeds the limits, all are read exactly. */
export interface BoundedList {
  short: ShortList
  /** A query with one row: `items` within the limits, and `omitted`, the number of the others. */
  exact: RawBuilder<{ items: object[]; omitted: number }>
}

interface ShortList {
  /** An SQL array; one that exceeds the limits may be cut off, or null. */
  array: RawBuilder<object[] | null>
  /** True if the array is complete and within the limits; tested before its JSON is built. */
  isWithinLimits(array: RawBuilder<unknown>): RawBuilder<boolean>
}
