import { createHash } from 'node:crypto'
import type { Ctx } from './context.ts'
import { tooManyAttempts } from './contract.ts'
import * as failures from './queries/failures.ts'

/** Failures without a delay, and the maximum delay of further ones: nobody is locked out at their own places. */
const FREE_FAILURES = 5
const FREE_FAILURES_OF_NETWORK = 20
const MAX_DELAY_MS = 60_000
/** Milliseconds without an attempt after which earlier ones no longer count. */
const FORGET_AFTER_MS = 3_600_000
/** Attempts at one account from other places: a burst, and one more per interval. At most 100 in an hour. */
const BURST = 50
const INTERVAL_MS = FORGET_AFTER_MS / 50
const MAX_FAILURES = 1000

export interface Attempt {
  /** The account's id; for an unknown address, the address. */
  account: string
  network: string
  /** The place from which the account has signed in before, see `SignInPlaces`. */
  place: Buffer | undefined
}

/** The counted subject, and the failures without a delay; `budget`: no delays, but a maximum per hour. */
interface Counter {
  subject: Buffer
  free: number | 'budget'
}

const counter = (free: Counter['free'], ...names: string[]): Counter => ({
  subject: createHash('sha256').update(JSON.stringify(names)).digest(),
  free
})

/** Attempts from a place of the account's own are delayed only by others from there. */
const countersOf = ({ account, network, place }: Attempt) =>
  place
    ? { account: counter(FREE_FAILURES, 'place', account, place.toString('hex')) }
    : {
        account: counter(FREE_FAILURES, 'account', account, network),
        network: counter(FREE_FAILURES_OF_NETWORK, 'network', network),
        elsewhere: counter('budget', 'elsewhere', account)
      }

const delayMs = (free: number, count: number) => Math.min(1000 * 2 ** (count - free), MAX_DELAY_MS)

type Locked = Awaited<ReturnType<typeof failures.lock>>[number]

const waitMs = ({ free }: Counter, { nextAt, time }: Locked) =>
  (nextAt ?? time).getTime() - time.getTime() - (free === 'budget' ? (BURST - 1) * INTERVAL_MS : 0)

/**
 * @param isRefused a refused attempt counts for the delay after the next one, and leaves the present delay unchanged
 */
function counted({ free }: Counter, { failures, lastAt, nextAt, time }: Locked, isRefused: boolean) {
  const since = time.getTime() - lastAt.getTime()
  const count = Math.min((since > FORGET_AFTER_MS ? 0 : failures) + 1, MAX_FAILURES)
  if (isRefused) return { failures: count, lastAt: time, nextAt }
  // Null without a delay: an attempt that waited for the lock has an earlier time, and must not count as too early.
  if (free !== 'budget' && count < free) return { failures: count, lastAt: time, nextAt: null }
  const next =
    free === 'budget'
      ? Math.max((nextAt ?? time).getTime(), time.getTime()) + INTERVAL_MS
      : time.getTime() + delayMs(free, count)
  return { failures: count, lastAt: time, nextAt: new Date(next) }
}

/**
 * Counts an attempt as failed before it is made, so that concurrent ones all count, on every replica.
 * @returns the error of an attempt that is too early, and must not be made
 */
export async function countAttempt(
  { transaction, use }: Ctx,
  attempt: Attempt
): Promise<ReturnType<typeof tooManyAttempts> | undefined> {
  const counters = Object.values(countersOf(attempt))
  const wait = await transaction(async trx => {
    const rows = await failures.lock(
      trx,
      counters.map(({ subject }) => subject),
      use.database.movedTime()
    )
    const states = rows.map(row => ({ row, of: counters.find(({ subject }) => subject.equals(row.subject))! }))
    const wait = Math.max(...states.map(({ of, row }) => waitMs(of, row)))
    for (const { of, row } of states) {
      if (wait <= 0 || (of.free !== 'budget' && waitMs(of, row) > 0)) {
        await failures.save(trx, of.subject, counted(of, row, wait > 0))
      }
    }
    return wait
  })
  return wait > 0 ? tooEarly(Math.ceil(wait / 1000), attempt.place !== undefined) : undefined
}

function tooEarly(seconds: number, isOwnPlace: boolean) {
  const error = tooManyAttempts(
    `There were too many wrong passwords: try again in ${seconds} s.` +
      (isOwnPlace
        ? ''
        : ' At once you can sign in with a browser that you signed in with before, from a network from which you did ' +
          'in the last 30 days, or in another way that the page for signing in offers.'),
    { retryAfter: seconds }
  )
  error.headers['retry-after'] = String(seconds)
  return error
}

/** After a success: clears the failures of the account at this place, and the one that was counted for the network. */
export async function forgetFailures({ transaction }: Ctx, attempt: Attempt): Promise<void> {
  const { account, network } = countersOf(attempt)
  await transaction(async trx => {
    await failures.remove(trx, account.subject)
    if (network) await failures.takeBackOne(trx, network.subject)
  })
}

export async function purgeFailures({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await failures.removeOld(db, new Date(now().getTime() - 2 * FORGET_AFTER_MS))
}
