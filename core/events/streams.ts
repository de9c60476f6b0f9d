import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Principal } from '../contract.ts'
import type { CoreTables, Id } from '../db/tables.ts'
import { ApiError, overloaded } from '../errors.ts'
import type { LoggedEvent } from './contract.ts'
import { encodeCursor } from './cursor.ts'
import type { EventLog } from './log.ts'
import { isVisible, lastPosition, matches, readLog, readVisible, type EventFilter } from './read.ts'
import { shownEvent } from './schemas.ts'

/** Events of one read, for all streams or for one that catches up. */
const BATCH = 500
/** Characters that wait for a client; one that does not take them is dropped, and resumes with the last id it has. */
const MAX_WAITING_LENGTH = 1024 * 1024
/** Milliseconds for which a client may take nothing of what was sent. */
const STALL_TIMEOUT_MS = 30_000
/** Milliseconds after which a dropped client connects again. */
const RETRY_MS = 3_000
/** Milliseconds between checks whether those who read still may. */
const CHECK_INTERVAL_MS = 5_000
/** Checks at once. */
const CHECKS_AT_ONCE = 20

interface Message {
  readonly id: string
  readonly data: string
}
interface Stream {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly filter: EventFilter
  reader: Principal
  /** The position of the last event that was looked at for it. */
  after: number
  readonly waiting: Message[]
  waitingLength: number
  isSending: boolean
  /** When the connection stopped taking what is sent, by `performance.now()`. */
  blockedAt: number | undefined
}

export interface EventStreamsOptions {
  events: EventLog
  db: Kysely<CoreTables>
  log: FastifyBaseLogger
  /** Streams at once: more are refused, so that connections are left for requests. */
  maxStreams: number
  /** Who a request is from, looked up anew. @throws 401 */
  authenticate(request: FastifyRequest): Promise<Principal>
}

/** The event streams of this process: one read of the log serves them all. */
export interface EventStreams {
  readonly size: number
  /**
   * Streams events to the client until it leaves, is dropped, or may read no more.
   * @param after undefined: from now on
   * @throws 503 while there are as many as there may be
   */
  open(request: FastifyRequest, reply: FastifyReply, filter: EventFilter, after: number | undefined): Promise<void>
  /** Ends all, and opens no more. */
  close(): void
}

const messageOf = (event: LoggedEvent): Message => ({
  id: encodeCursor(event.position),
  data: JSON.stringify(shownEvent(event))
})

export function makeEventStreams(options: EventStreamsOptions): EventStreams {
  const { events, db, log, maxStreams, authenticate } = options
  const open = new Set<Stream>()
  /** Those that have caught up, by their workspaces. */
  const live = new Map<Id, Set<Stream>>()
  /** Of the last event that was read for them. */
  let position = 0
  let following: Promise<() => void> | undefined
  let pulling: Promise<void> | undefined
  let isClosed = false

  /** Follows the log from its end, while there are streams. */
  function follow(): Promise<() => void> {
    following ??= (async () => {
      await events.horizon.refresh()
      position = await lastPosition(db, events.horizon.decided)
      return events.onMoved(() => {
        pulling ??= pull()
          .catch((error: unknown) => log.warn({ err: error }, 'the event log could not be read for the streams'))
          .finally(() => {
            pulling = undefined
          })
      })
    })().catch((error: unknown) => {
      following = undefined
      throw error
    })
    return following
  }

  async function pull(): Promise<void> {
    while (position < events.horizon.decided) {
      const read = await readLog(db, { after: position, upTo: events.horizon.decided, limit: BATCH })
      if (read.length === 0) return
      for (const event of read) {
        position = event.position
        const streams = live.get(event.workspaceId)
        if (streams === undefined) continue
        let message: Message | undefined
        for (const stream of streams) {
          if (event.position <= stream.after) continue
          stream.after = event.position
          if (isVisible(event, stream.reader) && matches(event, stream.filter)) {
            offer(stream, (message ??= messageOf(event)))
          }
        }
      }
    }
  }

  function offer(stream: Stream, message: Message): void {
    stream.waiting.push(message)
    stream.waitingLength += message.data.length
    if (stream.waitingLength > MAX_WAITING_LENGTH) drop(stream)
    else if (!stream.isSending) void sendWaiting(stream) // eslint-disable-line no-void -- it ends with the stream
  }

  async function sendWaiting(stream: Stream): Promise<void> {
    stream.isSending = true
    for (let message = stream.waiting.shift(); message && open.has(stream); message = stream.waiting.shift()) {
      stream.waitingLength -= message.data.length
      await send(stream, message)
    }
    stream.isSending = false
  }

  async function send(stream: Stream, message: Message): Promise<void> {
    stream.blockedAt ??= performance.now()
    await stream.reply.sse.send(message).catch((error: unknown) => log.debug({ err: error }, 'an event stream broke'))
    stream.blockedAt = undefined
  }

  function drop(stream: Stream): void {
    log.info({ tokenId: stream.reader.tokenId }, 'an event stream is dropped: its client does not read')
    stream.reply.raw.destroy()
  }

  function leave(stream: Stream): void {
    open.delete(stream)
    live.get(stream.reader.workspaceId)?.delete(stream)
    if (live.get(stream.reader.workspaceId)?.size === 0) live.delete(stream.reader.workspaceId)
    if (open.size > 0) return
    following?.then(unfollow => unfollow()).catch(() => {}) // who asked for it was told
    following = undefined
  }

  /** Sends what the log holds after a position, until the stream is where all others are, and goes on with them. */
  async function catchUp(stream: Stream): Promise<void> {
    while (open.has(stream)) {
      const upTo = position
      if (stream.after >= upTo) {
        const { workspaceId } = stream.reader
        live.set(workspaceId, (live.get(workspaceId) ?? new Set()).add(stream))
        return
      }
      const range = { after: stream.after, upTo, limit: BATCH }
      const read = await readVisible(db, stream.reader, range, stream.filter)
      for (const event of read) if (open.has(stream)) await send(stream, messageOf(event))
      stream.after = read.length < BATCH ? upTo : read.at(-1)!.position
    }
  }

  /** Ends the streams of those who may read no more, and of those who do not read. */
  async function check(stream: Stream): Promise<void> {
    if (stream.blockedAt !== undefined && performance.now() - stream.blockedAt > STALL_TIMEOUT_MS) return drop(stream)
    try {
      stream.reader = await authenticate(stream.request)
    } catch (error) {
      // The database may be away: then nobody knows, and nothing is sent either.
      if (error instanceof ApiError && error.statusCode < 500) stream.reply.sse.close()
    }
  }
  const checking = setInterval(async () => {
    const streams = [...open]
    for (let n = 0; n < streams.length; n += CHECKS_AT_ONCE) {
      await Promise.all(streams.slice(n, n + CHECKS_AT_ONCE).map(check))
    }
  }, CHECK_INTERVAL_MS).unref()

  return {
    get size() {
      return open.size
    },
    async open(request, reply, filter, after) {
      if (isClosed) throw overloaded('The server is stopping: connect again in a few seconds.')
      await follow()
      if (open.size >= maxStreams) {
        throw overloaded(
          `There are ${maxStreams} event streams, as many as this server has at once: connect again later, or read ` +
            'pages of GET /v1/events.'
        )
      }
      const stream: Stream = {
        request,
        reply,
        filter,
        reader: request.principal,
        after: after ?? position,
        waiting: [],
        waitingLength: 0,
        isSending: false,
        blockedAt: undefined
      }
      const { promise: left, resolve } = Promise.withResolvers<void>()
      open.add(stream)
      reply.raw.once('close', () => {
        leave(stream)
        resolve()
      })
      reply.hijack()
      reply.sse.keepAlive()
      reply.sse.sendHeaders()
      reply.raw.write(`retry: ${RETRY_MS}\n\n`)
      try {
        await catchUp(stream)
      } catch (error) {
        log.warn({ err: error }, 'an event stream could not catch up')
        reply.sse.close()
      }
      await left
    },
    close() {
      isClosed = true
      clearInterval(checking)
      for (const { reply } of open) reply.sse.close()
    }
  }
}
