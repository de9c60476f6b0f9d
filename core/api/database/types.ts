import type { ColumnType, Generated, Kysely, Transaction, RawBuilder } from 'kysely'
import type { ShortReads } from '../../db/statements/short-reads.ts'

/** A UUIDv7 in its text form. */
export type Id = string
/** Written as a Date, read as a Date; stored to the millisecond, as the API shows it. */
export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
/** Nullable time: null until it happens. */
export type Moment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

/**
 * What a token is confined to: a subject of the plugin that made the token. Plugins whose rules need more declare it as
 * a field of their own (`declare module … { interface Confinement { … } }`), and the plugin that makes tokens fills it.
 */
export interface Confinement {
  /** The name of the plugin that made the token. */
  readonly plugin: string
  readonly subjectId: Id
}

/** The core's tables: accounts, tokens, the event log. Every plugin sees them. In SQL the names are snake_case. */
export interface CoreTables {
  workspace: { id: Id; name: string; createdAt: Timestamp }
  /** A person or an agent. A removed account keeps its row: its history and its names stay. */
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
  /** An access token; only its SHA-256 is kept. */
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
    /** Null: it may do what its account may. */
    confinedTo: ColumnType<Confinement | null, string | null | undefined, never>
  }
  /** A browser, an address or a network from which an account has signed in; only its SHA-256 is kept. */
  signInPlace: { workspaceId: Id; accountId: Id; place: Uint8Array; expiresAt: Timestamp }
  /** The event log, see core/events/contract.ts: appended to, and removed from its old end. */
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
    issueId: Id | null
    rev: number | null
    origin: string
    audience: 'workspace' | 'admin' | 'account'
    accountId: Id | null
    data: ColumnType<object, string, never>
  }
  eventPartition: { partition: number; removedTo: number }
  /** The position that a consumer has reached in a partition, and the process that holds its lease. */
  eventConsumer: {
    name: string
    partition: number
    position: number
    /** Failed attempts at the event after the position. */
    attempts: Generated<number>
    /** Processes that have ended while they had the consumer, since it last handled the events after the position. */
    crashes: Generated<number>
    /** Events that are being handled after such an end; 0: none. */
    handling: Generated<number>
    needsRebuild: boolean
    leasedBy: string | null
    leasedUntil: Timestamp
  }
  /** A job, by its queue and a hash of its payload, that may have ended processes. */
  jobCrash: {
    job: string
    /** Processes that have ended while it ran; the attempt under way counts. */
    ends: number
    at: Timestamp
  }
  /** An event that a consumer failed to handle. */
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
  /** The `Idempotency-Key` of a request that succeeded, and its answer. */
  idempotencyKey: {
    workspaceId: Id
    tokenId: Id
    key: string
    /** SHA-256 of what makes a request the same. */
    fingerprint: Uint8Array
    /** Null, as are headers and body, only inside the transaction that does the work. */
    status: number | null
    headers: ColumnType<Record<string, string> | null, string | null | undefined, string | null>
    body: string | null
    createdAt: Timestamp
  }
}

/**
 * What reads: `ctx.db`, or a transaction at hand, whose writes are then seen. Only a transaction writes: what a request
 * writes is stored together with the answer for its `Idempotency-Key`.
 */
export type Reader<DB> = Pick<
  Kysely<DB>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'executeQuery' | 'getExecutor' | 'fn'
>

/**
 * A reader of any tables that its holder sees. Kysely is invariant in its tables: without this, a service of one plugin
 * could not be called with the `db` of another. Assign it to a typed constant before using it.
 */
export type DatabaseHandle = Reader<any> // eslint-disable-line -- the one place where the tables are unknown
/** As `DatabaseHandle`, for services that are one short read. */
export type ReadHandle = ShortReads<any> // eslint-disable-line -- as above
export type TransactionHandle = Transaction<any> // eslint-disable-line -- as above

/**
 * The workspace of a statement: its id, or the parameter of one that is compiled once. Every subquery is bounded by it,
 * not by the `workspace_id` of a row around it: a distributed engine sends a statement to the one node that has the
 * workspace only when each subquery says by itself which one that is.
 */
export type WorkspaceId = Id | RawBuilder<Id>

/**
 * A list in two forms. The first statement reads all its lists in the short form, which costs half as much. Only where
 * one of them exceeds the limits does a second statement read all in the exact form.
 */
export interface BoundedList {
  short: ShortList
  /** A query with one row: `items`, those within the limits, and `omitted`, how many were left out. */
  exact: RawBuilder<{ items: object[]; omitted: number }>
}

interface ShortList {
  /** An SQL array; one that exceeds the limits may be cut off, or null. */
  array: RawBuilder<object[] | null>
  /** Whether the array in a column is complete and within the limits; tested before its JSON is made. */
  isWithinLimits(array: RawBuilder<unknown>): RawBuilder<boolean>
}
