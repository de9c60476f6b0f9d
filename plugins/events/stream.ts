import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../core/api/contract.ts'
import { ApiError } from '../../core/api/errors.ts'
import type { LoggedEvent } from '../../core/api/events.ts'
import type { Db } from './context.ts'
import { eventToJson } from './contract.ts'
import { encodeCursor } from './cursor.ts'
import { isVisible, matches, readVisible, type EventFilter } from './queries.ts'

export const BATCH = 500
/** Maximum characters that wait for a client; a slower client is disconnected, and resumes after its last id. */
const MAX_WAITING_LENGTH = 1024 * 1024
const STALL_TIMEOUT_MS = 30_000
const RETRY_MS = 3_000

export interface Message {
  readonly id: string
  readonly data: string
}
export const messageOf = (event: LoggedEvent): Message => ({
  id: encodeCursor(event.position),
  data: JSON.stringify(eventToJson(event))
})

interface EventStreamOptions {
  request: FastifyRequest
  reply: FastifyReply
  filter: EventFilter
  /** The position before its first event. */
  after: number
  log: FastifyBaseLogger
}

export class EventStream {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #filter: EventFilter
  readonly #log: FastifyBaseLogger
  readonly #waiting: Message[] = []
  #reader: Principal
  /** The position of the last event that was sent, or skipped. */
  #after: number
  #waitingLength = 0
  #isSending = false
  #isOpen = true
  /** When the connection stopped accepting data, by `performance.now()`. */
  #blockedAt: number | undefined

  constructor({ request, reply, filter, after, log }: EventStreamOptions) {
    this.#request = request
    this.#reply = reply
    this.#filter = filter
    this.#log = log
    this.#reader = request.principal
    this.#after = after
  }

  get workspaceId() {
    return this.#reader.workspaceId
  }

  /** @param onLeft called when the client disconnects */
  begin(onLeft: () => void): void {
    this.#reply.raw.once('close', () => {
      this.#isOpen = false
      onLeft()
    })
    this.#reply.hijack()
    this.#reply.sse.keepAlive()
    this.#reply.sse.sendHeaders()
    // With a cursor, so that a client that is disconnected before its first event resumes here.
    this.#reply.raw.write(`id: ${encodeCursor(this.#after)}\nretry: ${RETRY_MS}\n\n`)
  }

  end(): void {
    this.#reply.sse.close()
  }

  /** @param onCaughtUp called once it has reached the live streams */
  async catchUp(db: Db, livePosition: () => number, onCaughtUp: () => void): Promise<void> {
    while (this.#isOpen) {
      const upTo = livePosition()
      if (this.#after >= upTo) return onCaughtUp()
      const read = await readVisible(db, this.#reader, { after: this.#after, upTo, limit: BATCH }, this.#filter)
      for (const event of read) if (this.#isOpen) await this.#send(messageOf(event))
      this.#after = read.length < BATCH ? upTo : read.at(-1)!.position
    }
  }

  /** @returns whether to send it */
  passes(event: LoggedEvent): boolean {
    if (event.position <= this.#after) return false
    this.#after = event.position
    return isVisible(event, this.#reader) && matches(event, this.#filter)
  }

  /** Disconnects a client that does not read. */
  offer(message: Message): void {
    this.#waiting.push(message)
    this.#waitingLength += message.data.length
    if (this.#waitingLength > MAX_WAITING_LENGTH) this.#drop()
    else if (!this.#isSending) void this.#sendWaiting() // eslint-disable-line no-void -- it ends with the stream
  }

  /** Ends the stream when its client is no longer authorised, or does not read. */
  async check(authenticate: (request: FastifyRequest) => Promise<Principal>): Promise<void> {
    if (this.#blockedAt !== undefined && performance.now() - this.#blockedAt > STALL_TIMEOUT_MS) return this.#drop()
    try {
      this.#reader = await authenticate(this.#request)
    } catch (error) {
      // While the database is unavailable, the token cannot be checked, and nothing is sent.
      if (error instanceof ApiError && error.statusCode < 500) this.end()
    }
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true
    for (let message = this.#waiting.shift(); message && this.#isOpen; message = this.#waiting.shift()) {
      this.#waitingLength -= message.data.length
      await this.#send(message)
    }
    this.#isSending = false
  }

  async #send(message: Message): Promise<void> {
    this.#blockedAt ??= performance.now()
    await this.#reply.sse
      .send(message)
      .catch((error: unknown) => this.#log.debug({ err: error }, 'an event stream broke'))
    this.#blockedAt = undefined
  }

  #drop(): void {
    this.#log.info({ tokenId: this.#reader.tokenId }, 'an event stream is dropped: its client does not read')
    this.#reply.raw.destroy()
  }
}
