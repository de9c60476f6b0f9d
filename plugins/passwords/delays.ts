import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Ctx } from './context.ts'
import { tooManyAttempts } from './contract.ts'
import * as failures from './queries/failures.ts'

/** Failures without a delay, and the maximum delay of further ones: an account is never locked. */
const FREE_FAILURES = { account: 5, address: 20 }
const MAX_DELAY_SECONDS = 60
/** Seconds without a failure after which earlier ones no longer count. */
const FORGET_AFTER_SECONDS = 3600

const forgottenBefore = (time: Date) => new Date(time.getTime() - FORGET_AFTER_SECONDS * 1000)

type Kind = keyof typeof FREE_FAILURES
interface Subject {
  kind: Kind
  hash: Buffer
}

/** Who is named by an attempt to sign in, and where it comes from. */
interface Attempt {
  email: string
  address: string
}

const subjectsOf = ({ email, address }: Attempt): Subject[] =>
  (
    [
      ['account', email.toLowerCase()],
      ['address', networkOf(address)]
    ] as const
  )
    .map(([kind, text]) => ({ kind, hash: createHash('sha256').update(`${kind} ${text}`).digest() }))
    .sort((a, b) => Buffer.compare(a.hash, b.hash))

/** For IPv6 the /64 network, which usually belongs to one customer. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':')
}

const delayMs = (kind: Kind, failures: number) =>
  failures < FREE_FAILURES[kind] ? 0 : Math.min(2 ** (failures - FREE_FAILURES[kind]), MAX_DELAY_SECONDS) * 1000

/**
 * Counts an attempt as failed before it is made, so that concurrent ones all count. A failure delays the next attempt
 * for the same account and from the same address, on every replica.
 * @throws 429 while the delay lasts; that attempt is not counted
 */
export async function countAttempt({ transaction, now }: Ctx, attempt: Attempt): Promise<void> {
  const time = now()
  await transaction(async trx => {
    let waitMs = 0
    const subjects = subjectsOf(attempt)
    const hashes = subjects.map(({ hash }) => hash)
    for (const { subject, failures: count, lastAt } of await failures.lock(trx, hashes, time)) {
      const kind = subjects.find(({ hash }) => hash.equals(subject))!.kind
      // Another replica's clock may be ahead.
      const sinceMs = Math.max(0, time.getTime() - lastAt.getTime())
      if (sinceMs < FORGET_AFTER_SECONDS * 1000) waitMs = Math.max(waitMs, delayMs(kind, count) - sinceMs)
    }
    if (waitMs > 0) throw tooEarly(Math.ceil(waitMs / 1000))
    await failures.count(trx, hashes, time, forgottenBefore(time))
  })
}

function tooEarly(seconds: number) {
  const error = tooManyAttempts(`There were too many wrong passwords: try again in ${seconds} s.`, {
    retryAfter: seconds
  })
  error.headers['retry-after'] = String(seconds)
  return error
}

/** After a success: clears the failures of the account, and the one that was counted for the address. */
export async function forgetFailures({ db }: Ctx, attempt: Attempt): Promise<void> {
  for (const { kind, hash } of subjectsOf(attempt)) {
    if (kind === 'account') await failures.remove(db, hash)
    else await failures.takeBackOne(db, hash)
  }
}

/** Removes failures that no longer count. */
export async function purgeFailures({ db, now }: Ctx): Promise<void> {
  await failures.removeOld(db, forgottenBefore(now()))
}
