import type { FastifyBaseLogger } from 'fastify'
import type { Caller } from '../api/contract.ts'
import type { EventType } from '../api/events.ts'
import type { Id } from '../api/database/types.ts'

/*
 * Log lines about sign-ins and rights. docs/audit.md promises their form, which fail2ban parses: `security` and
 * `address` are adjacent, in this order.
 */

/** The log line of an event whose type is logged. */
export function lineOfEvent(
  { name, logged = [] }: EventType,
  { workspaceId, accountId, tokenId, origin = 'rest', address }: Caller,
  { subjectId, accountId: ownerId, data }: { subjectId: Id; accountId?: Id | undefined; data: object }
): object {
  return {
    security: name,
    address: address ?? null,
    workspaceId,
    accountId,
    tokenId,
    origin,
    subjectId,
    ...(ownerId !== undefined && { ownerId }),
    ...Object.fromEntries(Object.entries(data).filter(([field]) => logged.includes(field)))
  }
}

export interface Refusal {
  security: 'sign_in.failed' | 'token.refused'
  address: string
  reason: string
  method?: string
  workspaceId?: string
  accountId?: string
  /** The e-mail address as typed. */
  email?: string | undefined
}

/** Lines per address and interval; further attempts are only counted. */
const MAX_LINES = 10
const INTERVAL_MS = 60_000
/** Maximum counted addresses; then counting begins again. */
const MAX_ADDRESSES = 10_000

interface Counted {
  since: number
  lines: number
  suppressed: number
}

/** Logs refusals, limited per address so that nobody can fill the log. */
export class RefusalLog {
  readonly #log: FastifyBaseLogger
  readonly #counted = new Map<string, Counted>()

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  /** @param log the request's, whose lines have its id */
  write({ security, address, email, ...fields }: Refusal, log: FastifyBaseLogger = this.#log): void {
    const counted = this.#count(address)
    if (counted === undefined) return
    const { suppressed } = counted
    counted.suppressed = 0
    const line = {
      security,
      address,
      ...fields,
      ...(email !== undefined && { email: printable(email) }),
      ...(suppressed > 0 && { suppressed })
    }
    log.warn(line, security === 'token.refused' ? 'an access token was refused' : 'a sign-in failed')
  }

  /** @returns undefined when the address has reached its limit */
  #count(address: string): Counted | undefined {
    const now = performance.now()
    let counted = this.#counted.get(address)
    if (counted === undefined || now - counted.since > INTERVAL_MS) {
      if (this.#counted.size >= MAX_ADDRESSES) this.#counted.clear()
      counted = { since: now, lines: 0, suppressed: counted?.suppressed ?? 0 }
      this.#counted.set(address, counted)
    }
    if (counted.lines >= MAX_LINES) {
      counted.suppressed++
      return undefined
    }
    counted.lines++
    return counted
  }
}

const MAX_EMAIL_CHARACTERS = 100

/** A stranger's text, shortened, without control characters that terminals and editors obey: JSON escapes only some. */
function printable(text: string): string {
  const shown = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, character => `\\u{${character.codePointAt(0)!.toString(16)}}`)
  return shown.length > MAX_EMAIL_CHARACTERS ? `${shown.slice(0, MAX_EMAIL_CHARACTERS)}…` : shown
}
