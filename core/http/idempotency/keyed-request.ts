import type { FastifyReply } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import { RequestTransaction } from '../../db/transactions/request-transaction.ts'
import type { CoreTables } from '../../api/database/types.ts'
import { ApiError } from '../../api/errors.ts'
import { dropHeaders, keptAnswer, type KeptAnswer, type SecretFields } from './kept-answer.ts'
import { keepAnswer, keyInUse, takeKey, type EarlierUse, type SentKey } from './keys.ts'

export interface KeyedRequestOptions {
  db: Kysely<CoreTables>
  /** Called after the commit of a request's transaction. */
  committed: (trx: Transaction<CoreTables>) => void
  now: () => Date
}

export class KeyedRequest {
  readonly transaction: RequestTransaction
  readonly #sent: SentKey
  readonly #now: () => Date
  /** The answer of another server that took the key first. */
  #replay: KeptAnswer | undefined

  constructor(sent: SentKey, { db, committed, now }: KeyedRequestOptions) {
    this.#sent = sent
    this.#now = now
    this.transaction = new RequestTransaction({ db, committed, begin: trx => this.#takeKey(trx) })
  }

  async #takeKey(trx: Transaction<CoreTables>): Promise<void> {
    const earlier = await takeKey(trx, this.#sent, this.#now())
    if (earlier === undefined) return
    this.#replay = answerOf(earlier)
    // Ends the route; `end` replaces its answer with the replay.
    throw keyInUse()
  }

  /**
   * Commits the request's writes with its answer, or rolls them back if it has failed.
   * @param payload the route's answer
   * @returns the answer to send
   */
  async end(reply: FastifyReply, payload: unknown, secrets: SecretFields): Promise<unknown> {
    if (this.#replay !== undefined) {
      await this.transaction.rollBack()
      dropHeaders(reply)
      return prepareReplay(reply, this.#replay)
    }
    if (reply.statusCode >= 300) {
      await this.transaction.rollBack()
      return payload
    }
    const answer = keptAnswer(reply, payload, secrets)
    try {
      await this.transaction.commit(trx => keepAnswer(trx, this.#sent, answer))
    } catch (error) {
      dropHeaders(reply)
      throw error
    }
    return payload
  }
}

export function answerOf(earlier: EarlierUse): KeptAnswer {
  if (earlier.isSame) return earlier.answer
  throw new ApiError(
    422,
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was sent with another request in the last 24 hours: make a new key for each new request.'
  )
}

/** @returns the body to send */
export function prepareReplay(reply: FastifyReply, { status, headers, body }: KeptAnswer): string {
  reply
    .code(status)
    .headers({ ...headers, 'idempotency-replayed': 'true' })
    .type('application/json; charset=utf-8')
  return body
}
