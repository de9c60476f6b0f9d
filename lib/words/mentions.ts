import { SPACED_CLASS } from './scripts.ts'

/* How a mention is written: a sign, and the name of an account. The sources are for regular expressions with `v`. */

/** A text that mentions somebody contains one of them. */
export const AT_SIGNS = ['@', '＠'] as const

const ANY_SIGN = AT_SIGNS.join('')
/** A sign that is not within a word, a path or an address. */
export const MENTION_SIGN = `(?<!${SPACED_CLASS}|[_.\\/${ANY_SIGN}])[${ANY_SIGN}]`
/** A word, a path (`@scout/core`) or an address (`@scout@host`) goes on after a name. */
export const NAME_GOES_ON = `${SPACED_CLASS}|_|[\\/\\\\@]${SPACED_CLASS}`
