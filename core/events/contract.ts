import type { RawBuilder } from 'kysely'
import type { Static, TObject } from 'typebox'
import type { Contract, Origin } from '../api/contract.ts'
import type { Id } from '../api/database/types.ts'

/*
 * The event log, as plugins see it. Every change that a client can see is an event: a row that the transaction which
 * makes the change appends. This file loads in a browser, too.
 */

/** Who may read an event: every token of the workspace, administrators, or the one account that it is about. */
export type Audience = 'workspace' | 'admin' | 'account'

/** A type of events. Only the plugin `O` appends events of it, and contributes it to the core's `eventTypes`. */
export interface EventType<
  O extends string = string,
  N extends string = string,
  D extends object = object,
  A extends Audience = Audience
> {
  readonly owner: O
  /** What has happened to what: `issue.updated`. */
  readonly name: N
  /** The kind of the subject: `issue`. */
  readonly subject: string
  /** One sentence, for the documentation. */
  readonly summary: string
  readonly audience: A
  /** Set: each event is a line of the server's log, too, with these fields of its data. */
  readonly logged?: readonly string[]
  /** The schema of an event's `data`. */
  readonly data: TObject
  readonly types?: D
}
interface Description<S extends TObject, A extends Audience> {
  readonly summary: string
  /** Default: the part of the name before its dot. */
  readonly subject?: string
  readonly audience?: A
  /** For what decides who comes in and what they may do: a line of the server's log, with these fields of the data. */
  readonly logged?: ReadonlyArray<keyof Static<S> & string>
  readonly data: S
}

/** `eventType(issues, 'issue.updated', { summary: '…', data: Closed({ … }) })`, in the owner's contract. */
export const eventType = <
  const O extends string,
  const N extends `${string}.${string}`,
  S extends TObject,
  const A extends Audience = 'workspace'
>(
  { name: owner }: Contract<O>,
  name: N,
  { summary, subject = name.split('.')[0]!, audience, logged, data }: Description<S, A>
): EventType<O, N, Static<S> & object, A> => ({
  owner,
  name,
  subject,
  summary,
  audience: audience ?? ('workspace' as A),
  ...(logged && { logged }),
  data
})

/** The emitter's part of an event; actor, time and origin are added. */
export interface NewEventOfAnyType {
  readonly subjectId: Id
  /** What people call the subject, such as an issue's key. */
  readonly subjectKey?: string
  /** The issue that it belongs to. The transaction holds the lock on its row: so its events are in order. */
  readonly issueId?: Id
  /** The revision of the subject after the change. */
  readonly rev?: number
  /** With the audience `account`: the account that may read it. */
  readonly accountId?: Id | undefined
  readonly data: object
}
export type NewEvent<D extends object, A extends Audience> = Omit<NewEventOfAnyType, 'data'> & {
  readonly data: D
} & (A extends 'account' ? { readonly accountId: Id } : unknown)

/** An event that the statement which makes the change appends, too: the key and the revision are SQL over its rows. */
export interface EventInStatement<D extends object = object> extends Pick<
  NewEventOfAnyType,
  'subjectId' | 'issueId' | 'accountId'
> {
  /** The part of the statement that returns the changed row. */
  readonly from: RawBuilder<unknown>
  readonly subjectKey: RawBuilder<string>
  readonly rev: RawBuilder<number>
  readonly data: D
}

/** An event of the log. */
export interface LoggedEvent<N extends string = string, D extends object = object> {
  readonly id: Id
  readonly type: N
  readonly workspaceId: Id
  /** ISO 8601, UTC. */
  readonly at: string
  /** With the name that the account has now; null: the server itself. */
  readonly actor: { readonly id: Id; readonly fullname: string; readonly kind: 'PERSON' | 'AGENT' } | null
  /** Null: it was not done with a token. */
  readonly tokenId: Id | null
  readonly subject: { readonly type: string; readonly id: Id; readonly key?: string }
  /** Null: it belongs to no issue. */
  readonly issueId: Id | null
  /** The revision of the subject after the change; null: it has no revisions, or this one is not known. */
  readonly rev: number | null
  readonly origin: Origin
  readonly audience: Audience
  /** With the audience `account`: the account that may read it. */
  readonly accountId: Id | null
  readonly data: D
  /** Positions grow within a partition; the events of a workspace are all in one partition. */
  readonly partition: number
  readonly position: number
}
/** What a consumer of the type `E` gets. */
export type LoggedEventOf<E extends EventType> =
  E extends EventType<string, infer N, infer D> ? LoggedEvent<N, D> : never

export interface ConsumerOptions {
  /** Maximum events of one call of `handle`. Default 100. */
  readonly batch?: number
  /** Attempts to handle an event that fails by itself, before it becomes a dead letter. Default 5. */
  readonly attempts?: number
  /** Milliseconds that `handle` may take; then it has failed. Default 600,000. */
  readonly timeoutMs?: number
  /** Milliseconds to wait for further events before a batch is handled. Default 0. */
  readonly debounceMs?: number
  /** Maximum milliseconds that a batch waits for this process to stop appending. Default 0. */
  readonly maxQuietWaitMs?: number
}
/** `nothing to do`: the position need not be stored at once, so after a crash more events may be delivered again. */
export type Handled = void | 'nothing to do'

/** Follows the log: gets the events of some types in the order of the log, and remembers how far it came. */
export interface Consumer<E extends readonly EventType[] | 'all', Ctx> extends ConsumerOptions {
  /** The types that it handles, or all. */
  readonly events: E
  /**
   * What to do about events that were removed before they were handled: when the consumer is new, or was off for longer
   * than the log is kept.
   * `rebuild` runs again when it fails; what is appended meanwhile is handled after it.
   */
  readonly onGap: 'skip' | { rebuild(ctx: Ctx): Promise<void> }
  /**
   * Handles events after their commit, on one replica at a time, at least once: after a crash the last batch may come
   * again. When it throws or takes too long, the batch is tried in halves; an event that fails by itself is tried
   * again, and becomes a dead letter after the last attempt. That the database is away is not counted; a statement that
   * takes too long is. When the process ends or hangs in it, the next ones do the same: from the second end on in
   * halves, and an event that has ended three of them, at last by itself, becomes a dead letter.
   */
  handle(
    events: ReadonlyArray<E extends readonly EventType[] ? LoggedEventOf<E[number]> : LoggedEvent>,
    ctx: Ctx
  ): Promise<Handled>
}
