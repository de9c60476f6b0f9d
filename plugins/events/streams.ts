import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Gauge } from 'prom-client'
import { Shares } from '../../core/api/accounts.ts'
import type { Principal } from '../../core/api/contract.ts'
import { lastPosition, readLog } from '../../core/api/database/event-log.ts'
import type { Id } from '../../core/api/database/types.ts'
import { overloaded } from '../../core/api/errors.ts'
import type { Db, EventLogService } from './context.ts'
import { BATCH, EventStream, messageOf, type Message } from './stream.ts'
import type { EventFilter } from './queries.ts'

/** Milliseconds between checks of the clients' rights. */
const CHECK_INTERVAL_MS = 5_000
const MAX_CONCURRENT_CHECKS = 20
/** Milliseconds after which a failed read of the log is repeated. */
const RETRY_PULL_MS = 1_000

/** The minimum is for small servers. */
const TOKEN_SHARE = 1 / 20
const WORKSPACE_SHARE = 1 / 2
const MIN_SHARE = 10

interface EventStreamsOptions {
  events: Pick<EventLogService, 'horizon' | 'onMoved'>
  db: Db
  log: FastifyBaseLogger
  gauge: Gauge
  /** Maximum concurrent streams; further ones are refused, so that connections are left for requests. */
  maxStreams: number
  /** @throws 401 */
  authenticate(request: FastifyRequest): Promise<Principal>
}

/** The event streams of this process: one read of the log serves them all. */
export class EventStreams {
  readonly #options: EventStreamsOptions
  readonly #shares: Shares
  readonly #open = new Set<EventStream>()
  /** The streams that have caught up, by workspace. */
  readonly #live = new Map<Id, Set<EventStream>>()
  readonly #checking: NodeJS.Timeout
  /** The position of the last event that was read for the live streams. */
  #position = 0
  #following: Promise<() => void> | undefined
  #isPulling = false
  #isClosed = false

  constructor(options: EventStreamsOptions) {
    this.#options = options
    const shareOf = (part: number) => Math.max(MIN_SHARE, Math.floor(options.maxStreams * part))
    this.#shares = new Shares({
      what: 'event streams',
      perToken: shareOf(TOKEN_SHARE),
      perWorkspace: shareOf(WORKSPACE_SHARE),
      advice: 'close one first, or read pages of GET /v1/events'
    })
    this.#checking = setInterval(() => this.#checkAll(), CHECK_INTERVAL_MS).unref()
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * @param after undefined: new events only @throws 429 when the token or the workspace has its share, 503 when there
   * are `maxStreams`
   */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    filter: EventFilter,
    after: number | undefined
  ): Promise<void> {
    const { db, log, maxStreams } = this.#options
    let following: Promise<unknown>
    // Repeated if the last stream, and with it the following, has ended meanwhile.
    do await (following = this.#follow())
    while (following !== this.#following)
    if (this.#isClosed) throw overloaded('The server is stopping: connect again in a few seconds.')
    if (this.#open.size >= maxStreams) {
      throw overloaded(
        `There are ${maxStreams} event streams, as many as this server has at once: connect again later, or read ` +
          'pages of GET /v1/events.'
      )
    }
    // A client that has disconnected already emits no further `close`.
    if (reply.raw.closed) return this.#stopFollowing()
    const giveBack = this.#shares.take()
    const stream = new EventStream({ request, reply, filter, after: after ?? this.#position, log })
    const { promise: left, resolve } = Promise.withResolvers<void>()
    this.#open.add(stream)
    this.#options.gauge.set(this.#open.size)
    stream.begin(() => {
      giveBack()
      this.#remove(stream)
      resolve()
    })
    const position = () => this.#position
    // Not awaited: sending to a client that disconnects without reading never ends.
    stream
      .catchUp(db, position, () => this.#addLive(stream))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'an event stream could not catch up')
        stream.end()
      })
    await left
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#checking)
    for (const stream of this.#open) stream.end()
  }

  /** Follows the log from its end, while there are streams. */
  #follow(): Promise<() => void> {
    const { events, db, log } = this.#options
    this.#following ??= (async () => {
      await events.horizon.refresh()
      this.#position = await lastPosition(db, events.horizon.decided)
      const pull = () => {
        this.#pull().catch((error: unknown) => {
          log.warn({ err: error }, 'the event log could not be read for the streams')
          if (this.#open.size > 0) setTimeout(pull, RETRY_PULL_MS).unref()
        })
      }
      return events.onMoved(pull)
    })().catch((error: unknown) => {
      this.#following = undefined
      throw error
    })
    return this.#following
  }

  /** Sends the events up to the horizon, and those up to which it moves meanwhile. */
  async #pull(): Promise<void> {
    if (this.#isPulling) return
    this.#isPulling = true
    try {
      await this.#pullAll()
    } finally {
      this.#isPulling = false
    }
  }

  async #pullAll(): Promise<void> {
    const { db, events } = this.#options
    const { horizon } = events
    // The last positions may have no events: transactions that were rolled back took them.
    for (let readTo = -1; this.#position < horizon.decided && readTo !== horizon.decided;) {
      const upTo = horizon.decided
      const read = await readLog(db, { after: this.#position, upTo, limit: BATCH })
      if (read.length < BATCH) readTo = upTo
      for (const event of read) {
        this.#position = event.position
        let message: Message | undefined
        for (const stream of this.#live.get(event.workspaceId) ?? []) {
          if (stream.passes(event)) stream.offer((message ??= messageOf(event)))
        }
      }
    }
  }

  #addLive(stream: EventStream): void {
    const { workspaceId } = stream
    this.#live.set(workspaceId, (this.#live.get(workspaceId) ?? new Set()).add(stream))
  }

  #remove(stream: EventStream): void {
    const live = this.#live.get(stream.workspaceId)
    this.#open.delete(stream)
    this.#options.gauge.set(this.#open.size)
    live?.delete(stream)
    if (live?.size === 0) this.#live.delete(stream.workspaceId)
    this.#stopFollowing()
  }

  /** Does nothing while there are streams. */
  #stopFollowing(): void {
    if (this.#open.size > 0) return
    this.#following?.then(unfollow => unfollow()).catch(() => {}) // the caller of `follow` got the error
    this.#following = undefined
  }

  async #checkAll(): Promise<void> {
    const streams = [...this.#open]
    for (let n = 0; n < streams.length; n += MAX_CONCURRENT_CHECKS) {
      const some = streams.slice(n, n + MAX_CONCURRENT_CHECKS)
      await Promise.all(some.map(stream => stream.check(request => this.#options.authenticate(request))))
    }
  }
}
