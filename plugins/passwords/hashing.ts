import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { overloaded } from '../../core/api/errors.ts'
import { Shares } from '../../core/api/accounts.ts'

/** OWASP's recommended parameters for argon2id; computing a hash takes 19 MiB. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const KEY_BYTES = 32
const SALT_BYTES = 16
/** Maximum concurrent hashes of this process, and maximum waiting ones of each kind; further ones are refused. */
const MAX_CONCURRENT = 2
const MAX_WAITING = 50

const derive = promisify(argon2)

const shares = new Shares({
  what: 'passwords that wait to be checked or stored',
  perToken: 5,
  perWorkspace: MAX_WAITING / 2,
  advice: 'try again in a few seconds'
})
let running = 0
/** Known people come first: guesses from elsewhere do not delay them. */
const waiting: Record<'known' | 'others', Array<() => void>> = { known: [], others: [] }

async function inTurn<T>(of: keyof typeof waiting, work: () => Promise<T>): Promise<T> {
  const giveBack = shares.take()
  try {
    return await whenFree(of, work)
  } finally {
    giveBack()
  }
}

async function whenFree<T>(of: keyof typeof waiting, work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT) {
    if (waiting[of].length >= MAX_WAITING) {
      throw overloaded('Too many people sign in at once: try again in a few seconds.')
    }
    await new Promise<void>(resolve => waiting[of].push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.known.shift() ?? waiting.others.shift()
    if (next) next()
    else running--
  }
}

interface Parameters {
  memory: number
  passes: number
  lanes: number
}
const keyOf = (
  of: keyof typeof waiting,
  password: string,
  salt: Buffer,
  { memory, passes, lanes }: Parameters,
  length: number
) =>
  inTurn(of, () =>
    derive('argon2id', {
      // Normalized, because keyboards encode the same characters differently.
      message: Buffer.from(password.normalize('NFC'), 'utf8'),
      nonce: salt,
      parallelism: lanes,
      tagLength: length,
      memory,
      passes
    })
  )

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '')

/** @returns the hash in the PHC string format, which includes its parameters */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyOf('known', password, salt, { memory: MEMORY_KIB, passes: PASSES, lanes: LANES }, KEY_BYTES)
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(key)}`
}

/**
 * Compares a password with a hash.
 * @param hash undefined without a password: that takes as long, so that timing does not reveal who has one
 * @param isKnown true if the caller precedes others
 */
export async function isPassword(password: string, hash: string | undefined, isKnown: boolean): Promise<boolean> {
  const [, , , settings, salt, key] = (hash ?? (await placeholder())).split('$')
  const [, memory, passes, lanes] = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(settings ?? '') ?? []
  const expected = Buffer.from(key ?? '', 'base64')
  const parameters = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  const actual = await keyOf(
    isKnown ? 'known' : 'others',
    password,
    Buffer.from(salt ?? '', 'base64'),
    parameters,
    expected.length
  )
  return hash !== undefined && timingSafeEqual(actual, expected)
}

let placeholderHash: Promise<string> | undefined
const placeholder = () => (placeholderHash ??= hashPassword(randomBytes(KEY_BYTES).toString('base64')))
