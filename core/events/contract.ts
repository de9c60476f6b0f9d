import type { RawBuilder } from 'kysely'
import type { Static, TObject } from 'typebox'
import type { Contract, Origin } from '../api/contract.ts'
import type { Id } from '../api/database/types.ts'

/* A change that clients can see is an event, appended by its transaction. This file runs in browsers, too. */

/** Readers of an event: every token of the workspace, administrators, or one account. */
export type Audience = 'workspace' | 'admin' | 'account'

/** A type of events. Only the plugin `O` appends events of it, and contributes it to the core's `eventTypes`. */
export interface EventType<
  O extends string = string,
  N extends string = string,
  D extends object = object,
  A extends Audience = Audience
> {
  readonly owner: O
  readonly name: N
  readonly subject: string
  readonly summary: string
  readonly audience: A
  /** Fields of the data that the server logs with each event; absent: events are not logged. */
  readonly logged?: readonly string[]
  readonly data: TObject
  readonly types?: D
}
interface Description<S extends TObject, A extends Audience> {
  readonly summary: string
  /** Default: the part of the name before its dot. */
  readonly subject?: string
  readonly audience?: A
  /** For events about sign-ins and rights: the server logs each event with these fields of the data. */
  readonly logged?: ReadonlyArray<keyof Static<S> & string>
  readonly data: S
}

/** `eventType(workspace, 'label.updated', { summary: '…', data: Closed({ … }) })`, in the owner's contract. */
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
  /** The human-readable name of the subject, such as a team's identifier. */
  readonly subjectKey?: string
  /** The subject’s parent, or the subject if it has none. The lock on its row keeps the events of all in order. */
  readonly parentId?: Id | undefined
  /** The revision of the subject after the change. */
  readonly rev?: number
  /** For the audience `account`: the account that may read it. */
  readonly accountId?: Id | undefined
  readonly data: object
}
export type NewEvent<D extends object, A extends Audience> = Omit<NewEventOfAnyType, 'data'> & {
  readonly data: D
} & (A extends 'account' ? { readonly accountId: Id } : unknown)

/** An event that is written together with its change: key and revision are SQL. */
export interface EventInStatement<D extends object = object> extends Pick<
  NewEventOfAnyType,
  'subjectId' | 'parentId' | 'accountId'
> {
  readonly subjectKey: RawBuilder<string>
  readonly rev: RawBuilder<number>
  readonly data: D
}

export interface LoggedEvent<N extends string = string, D extends object = object> {
  readonly id: Id
  readonly type: N
  readonly workspaceId: Id
  readonly at: string
  /** With the account's current name; null: the server. */
  readonly actor: { readonly id: Id; readonly fullname: string; readonly kind: 'PERSON' | 'AGENT' } | null
  /** Null: no token was used. */
  readonly tokenId: Id | null
  readonly subject: { readonly type: string; readonly id: Id; readonly key?: string }
  /** The subject's parent, or the subject if it has none; null: not recorded. */
  readonly parentId: Id | null
  /** The revision of the subject after the change; null: none, or unknown. */
  readonly rev: number | null
  readonly origin: Origin
  readonly audience: Audience
  /** For the audience `account`: the account that may read it. */
  readonly accountId: Id | null
  readonly data: D
  readonly position: number
}
export type LoggedEventOf<E extends EventType> =
  E extends EventType<string, infer N, infer D> ? LoggedEvent<N, D> : never

export interface ConsumerOptions {
  /** Maximum events per call of `handle`. Default 100. */
  readonly batch?: number
  /** Attempts at a single event before it becomes a dead letter. Default 5. */
  readonly attempts?: number
  /** Milliseconds to wait for further events before a batch is handled. Default 0. */
  readonly debounceMs?: number
  /** Maximum milliseconds that a batch waits until this process stops appending. Default 0. */
  readonly maxQuietWaitMs?: number
}
/** `nothing to do`: the position is stored later, so after a crash more events may be delivered again. */
export type Handled = void | 'nothing to do'

export interface Consumer<E extends readonly EventType[] | 'all', Ctx> extends ConsumerOptions {
  readonly events: E
  /**
   * For events that were removed before they were handled: the consumer is new, or was off for longer than the
   * retention period. A failing `rebuild` is retried; events that are appended meanwhile are handled after it.
   */
  readonly onGap: 'skip' | { rebuild(ctx: Ctx): Promise<void> }
  /**
   * Handles events after their commit, on one replica at a time, at least once: after a crash the last batch may be
   * repeated. When it throws, or takes ten minutes, the batch is halved; an event that fails alone is retried, and
   * becomes a dead letter after the last attempt. An unavailable database does not count as an attempt; a statement's
   * timeout does. When the process crashes or hangs in it, batches are halved from the second crash on, and an event
   * that crashed three processes, the last time alone, becomes a dead letter.
   */
  handle(
    events: ReadonlyArray<E extends readonly EventType[] ? LoggedEventOf<E[number]> : LoggedEvent>,
    ctx: Ctx
  ): Promise<Handled>
}
