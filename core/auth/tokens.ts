import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/*
 * `trk_` + 40 random base62 characters + their CRC-32 (IEEE) in base62, 6 characters wide. Secret scanners recognise
 * the form, and a typo is refused without a query.
 */
const PREFIX = 'trk_'
const RANDOM = 40
const CHECK = 6
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECK}}$`)

function checksum(random: string): string {
  let rest = crc32(Buffer.from(random, 'ascii'))
  let digits = ''
  for (; rest > 0; rest = Math.floor(rest / 62)) digits = ALPHABET.charAt(rest % 62) + digits
  return digits.padStart(CHECK, '0')
}

/** A new token, from the system's random source; all characters are equally likely. */
export function newToken(): string {
  let random = ''
  while (random.length < RANDOM) {
    for (const byte of randomBytes(RANDOM)) {
      // 248 = 4 · 62: no bias.
      if (byte < 248 && random.length < RANDOM) random += ALPHABET.charAt(byte % 62)
    }
  }
  return PREFIX + random + checksum(random)
}

export function isWellFormedToken(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(PREFIX.length, -CHECK)) === text.slice(-CHECK)
}

/** The stored hash of a token. With 238 random bits, it needs no salt or slow hash. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
